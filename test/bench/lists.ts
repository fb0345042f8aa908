/*
 * What lists and searches cost in small and large installations: prints one JSON object. Started by `npm run bench`;
 * COUNTERSIGN_BENCH_SIZES names other numbers of runs. Aims are compared, never enforced.
 */
import { mkdirSync, statSync } from 'node:fs';
import { arch, availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { openConsole, openSearch, type Console, type OpenSearch } from '../../src-main/compose.ts';
import type { SearchQuery } from '../../src-main/domain/run-search.ts';
import { findRuns } from '../../src-main/runtime/find-runs.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { aSearch } from '../support/search.ts';
import { SETTINGS } from '../support/store.ts';
import { atMost } from './aims.ts';
import { disposeDisk, openDisk } from './disk.ts';
import { rounded, spread } from './figures.ts';
import { CONFIGURATIONS, fillLists, PAGES, PEOPLE, wordOf } from './fill-lists.ts';

const SIZES = (process.env.COUNTERSIGN_BENCH_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const REPEATS = Number(process.env.COUNTERSIGN_BENCH_REPEATS ?? '300');
/** Runs that are enqueued and cancelled together while appends are measured. */
const APPENDED_RUNS = 2_000;
const SOURCES = import.meta.resolve('../../src-main/compose.ts');

/** Searches like those of a person, a different one each time. */
const SEARCHES: Record<string, (turn: number) => Partial<SearchQuery>> = {
  everything: () => ({}),
  'filter: configuration': (turn) => ({ configuration: `site-${turn % CONFIGURATIONS}` }),
  'filter: needs me': () => ({ group: 'needs_me' }),
  'filter: tool and ended': () => ({ tool: 'edit_file', group: 'ended' }),
  'filter: target': (turn) => ({ target: `site/pages#${turn % PAGES}` }),
  'filter: somebody, since ever': (turn) => ({ initiator: `person${2 + (turn % (PEOPLE - 1))}`, sinceMs: 1 }),
  'page 100': (turn) => ({ beforeKey: 900 + turn }),
  'search: a word of every run': () => ({ text: 'description' }),
  'search: a word of a thousandth': (turn) => ({ text: wordOf(turn) }),
  'search: one run': (turn) => ({ text: `number ${turn}` }),
  'search: two words': (turn) => ({ text: `${wordOf(turn)} page ${turn}` }),
  'search: three letters': (turn) => ({ text: `meta ${wordOf(turn).slice(0, 3)}` }),
  'search: five letters': (turn) => ({ text: wordOf(turn).slice(0, 5) }),
  'search: six letters of a word of every run': () => ({ text: 'descri' }),
  'search: nothing fits': (turn) => ({ text: `${wordOf(turn)} missing` }),
  'search: own runs': (turn) => ({ text: `meta ${wordOf(turn)}`, ownerId: 2 + (turn % (PEOPLE - 1)) }),
  'search: needs me': (turn) => ({ text: `meta ${turn % 10}`, group: 'needs_me' }),
  facets: () => ({ limit: 1, withFacets: true }),
  'facets: own runs': (turn) => ({ limit: 1, withFacets: true, ownerId: 2 + (turn % (PEOPLE - 1)) }),
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

async function measure(work: (turn: number) => Promise<unknown>): Promise<ReturnType<typeof spread>> {
  for (let turn = 0; turn < 5; turn += 1) await work(turn);
  const times: number[] = [];
  for (let turn = 0; turn < REPEATS; turn += 1) times.push(await timed(() => work(turn)));
  return spread(times);
}

async function measureSize(folder: string, runs: number): Promise<Record<string, unknown>> {
  const path = join(folder, `lists-${runs}`, 'countersign.db');
  mkdirSync(join(folder, `lists-${runs}`));
  const opened = openConsole(path);
  const search = openSearch(opened, SOURCES);
  try {
    const fillMs = await timed(async () => fillLists(opened, runs));
    return {
      fillSeconds: rounded(fillMs / 1_000),
      megabytes: rounded(statSync(path).size / 1e6),
      ...(await measureLists(opened, search)),
    };
  } finally {
    await search.close();
    opened.close();
  }
}

async function measureLists(opened: Console, search: OpenSearch): Promise<Record<string, unknown>> {
  const { runtime, actor, installation } = opened;
  const figures: Record<string, unknown> = { 'inbox: first page': await measure(() => runtime.overview(actor, 100)) };
  for (const [name, wanted] of Object.entries(SEARCHES)) {
    figures[name] = await measure(async (turn) => search.search(aSearch(wanted(turn))));
  }
  const first = { ...aSearch(), limit: 50 };
  figures['first page, with its rights'] = await measure(() =>
    findRuns({ store: installation.store, search, report: opened.report }, actor, first),
  );
  return figures;
}

/** Events that are stored in a second by one process that shares its commits, and that are verified in a second. */
async function measureChain(folder: string): Promise<Record<string, number>> {
  mkdirSync(join(folder, 'chain'));
  const opened = openConsole(join(folder, 'chain', 'countersign.db'));
  try {
    const { runtime, actor, installation, clock } = opened;
    const configuration = { id: opened.newId(), identifier: 'sample', isActive: true, settings: SETTINGS };
    await installation.store.saveConfiguration(configuration, null, clock.nowMs());
    const wanted = { configurationId: configuration.id, label: 'Append', prompt: 'Append', maxRounds: null };
    const appendMs = await timed(() =>
      Promise.all(
        Array.from({ length: APPENDED_RUNS }, async () => {
          const queued = await runtime.enqueue(actor, { ...wanted, allowedToolNames: null });
          if (queued.ok) await runtime.cancel(actor, queued.value.id);
        }),
      ),
    );
    const startedMs = performance.now();
    const { events, problems } = verifyChain(installation.statements, installation.sealer);
    const verifyMs = performance.now() - startedMs;
    if (problems.length > 0) throw new Error(`The chain does not hold: ${JSON.stringify(problems[0])}`);
    return {
      events,
      appendedPerSecond: rounded((events / appendMs) * 1_000),
      verifiedPerSecond: rounded((events / verifyMs) * 1_000),
    };
  } finally {
    opened.close();
  }
}

const p99 = (figures: Record<string, unknown>, name: string): number | null =>
  (figures[name] as ReturnType<typeof spread>).p99;

/** What the largest installation should show. */
function compareLists(figures: Record<string, unknown>) {
  const searches = Object.keys(SEARCHES).filter((name) => name.startsWith('search'));
  return [
    atMost('first page of the inbox, p99 in ms', p99(figures, 'inbox: first page'), 10),
    atMost('first page of all runs, p99 in ms', p99(figures, 'everything'), 10),
    ...searches.map((name) => atMost(`${name}, p99 in ms`, p99(figures, name), 20)),
  ];
}

const disk = openDisk();
try {
  const loadBefore = loadavg()[0];
  const bySize: Record<string, Record<string, unknown>> = {};
  for (const runs of SIZES) bySize[runs] = await measureSize(disk.folder, runs);
  const conditions = {
    machine: { platform: process.platform, arch: arch(), processors: availableParallelism(), node: process.version },
    loadBefore,
    loadAfter: loadavg()[0],
    fileSystem: disk.fileSystem,
    repeats: REPEATS,
  };
  const chain = await measureChain(disk.folder);
  const aims = compareLists(bySize[Math.max(...SIZES)] ?? {});
  process.stdout.write(`${JSON.stringify({ conditions, lists: bySize, chain, aims }, null, 2)}\n`);
} finally {
  disposeDisk(disk);
}

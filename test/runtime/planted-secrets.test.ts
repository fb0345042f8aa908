import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PRIVACY_LEVELS, type PrivacyLevel } from '../../src-shared/vocabulary.ts';
import { diagnose } from '../../src-main/runtime/diagnose.ts';
import { createFileLog } from '../../src-main/system/log.ts';
import { clientAt, closeProviders, play, refuse } from '../models/support/failing-provider.ts';
import { call, createFakeModel } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

/** A secret of each kind, made for one place, so that a hit says where it came from. */
const plant = (place: string): string[] => [
  `sk-proj-${place}0123456789abcdef`,
  `ghp_${place}0123456789abcdef`,
  `${place}.person@mail.example`,
  `pw${place}77`,
];

const PLACES = ['Prompt', 'System', 'Said', 'Thought', 'Argument', 'Keyed', 'Result', 'Fault', 'Body', 'Header'];
const PLANTED = PLACES.flatMap(plant);

/** A text that holds one of each, the last one by its name only. */
function textWith(place: string): string {
  const [key, token, mail, password] = plant(place);
  return `Use ${key} or ${token}, ask ${mail}, then https://admin:${password}@db.internal/ with {"password":"${password}"}.`;
}

const hitsIn = (text: string): string[] => PLANTED.filter((secret) => text.includes(secret));

describe('planted secrets', () => {
  const open = useRuntime();
  afterEach(closeProviders);

  /** Three runs that say, do and fail with secrets everywhere, at the real log; returns what everything kept of them. */
  async function keptAt(privacy: PrivacyLevel) {
    const [key, , , password] = plant('Keyed');
    const values = { title: textWith('Argument'), password, headers: [{ name: 'Authorization', value: key }] };
    const f = open(
      [
        {
          text: textWith('Said'),
          thinking: textWith('Thought'),
          calls: [call('read_x', { key: 'body' }), call('set_x', { key: 'title', value: JSON.stringify(values) })],
        },
        { calls: [call('read_x', { key: 'body', password, secrets: { deep: key } }), call('boom_x', {})] },
        { text: textWith('Said') },
      ],
      { privacy, systemPrompt: textWith('System') },
    );
    const log = join(f.folder, 'log');
    f.ports.report = createFileLog({ path: log, level: 'info', nowMs: f.clock.nowMs });
    f.world.values.set('body', textWith('Result'));
    const { id } = await f.start({ prompt: textWith('Prompt') });
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    await faultyRun(f);
    await refusedRun(f);
    for (const { error, where } of f.reports) f.ports.report(error, where);
    const lines = readFileSync(log, 'utf8');
    const bundle = await diagnose(
      {
        store: f.store,
        clock: f.clock,
        findings: () => Promise.resolve([]),
        machine: {},
        installation: {},
        logLines: lines.split('\n'),
      },
      true,
    );
    return {
      events: eventsOf(f),
      told: JSON.stringify(await f.runtime.events(OWNER, id)),
      tables: tablesOf(f),
      file: fileOf(f),
      log: lines,
      bundle: JSON.stringify(bundle),
    };
  }

  /** The tools break down as a whole, with secrets in the error and in its cause. */
  async function faultyRun(f: RuntimeFixture): Promise<void> {
    f.world.beforeEffect = () => {
      throw new Error(textWith('Fault'), { cause: { headers: { cookie: textWith('Fault') } } });
    };
    f.ports.modelFor = async () => createFakeModel([{ calls: [call('read_x', { key: 'body' })] }]);
    await f.start({ prompt: textWith('Prompt') });
    expect(await f.segment()).toBe('failed');
  }

  /** The real client against a server that quotes secrets in body and headers. */
  async function refusedRun(f: RuntimeFixture): Promise<void> {
    const headers = { 'x-api-key': plant('Header')[0] ?? '', 'set-cookie': `s=${plant('Header')[3]}` };
    const body = JSON.stringify({ error: { message: textWith('Body') } });
    const { baseUrl } = await play(refuse(400, headers, body));
    f.ports.modelFor = async () => clientAt(baseUrl, plant('Header')[1]);
    await f.start({ prompt: textWith('Prompt') });
    expect(await f.segment()).toBe('failed');
  }

  const eventsOf = (f: RuntimeFixture): string => JSON.stringify(f.database.prepare('select * from run_events').all());

  /** Everything stored but the sealed values, and the settings that a person wrote. */
  function tablesOf(f: RuntimeFixture): string {
    const names = f.database.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all() as string[];
    expect(names).toContain('run_events');
    const rows = names.flatMap((name) => f.database.prepare(`select * from ${name}`).all() as object[]);
    return JSON.stringify(rows, (column, value: unknown) => (column === 'settings' ? undefined : value));
  }

  /** The bytes on the disk: also what no query returns any more. */
  const fileOf = (f: RuntimeFixture): string =>
    [f.path, `${f.path}-wal`].map((path) => readFileSync(path, 'latin1')).join('');

  it.each(PRIVACY_LEVELS.filter((level) => level !== 'full'))(
    'R-176 and R-177 are in no event, no answer about events, no table, no byte of the file, no line of the log and no bundle at level %s',
    async (level) => {
      const { events, told, tables, file, log, bundle } = await keptAt(level);
      expect(hitsIn(events)).toEqual([]);
      expect(hitsIn(told)).toEqual([]);
      expect(hitsIn(bundle)).toEqual([]);
      expect(hitsIn(tables)).toEqual([]);
      expect(hitsIn(log)).toEqual([]);
      // A configuration keeps its prompt as it was typed; nothing else of it is readable.
      expect(hitsIn(file).filter((secret) => !plant('System').includes(secret))).toEqual([]);
    },
  );

  it('R-176 and R-177 are looked for where they really were: at level full the record has them, and the log never', async () => {
    const { told, log, bundle } = await keptAt('full');
    const hits = hitsIn(told);
    for (const place of ['Prompt', 'System', 'Said', 'Thought', 'Argument', 'Keyed', 'Result'])
      expect(hits, place).toContain(plant(place)[0]);
    expect(hitsIn(log)).toEqual([]);
    expect(hitsIn(bundle)).toEqual([]);
    expect(log).toContain('[secret]');
    expect(log).toContain('HTTP 400');
  });
});

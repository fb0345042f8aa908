import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { SearchQuery } from '../../src-main/domain/run-search.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import { openSearchReader } from '../../src-main/store/search-reader.ts';
import type { ConfigurationSettings } from '../../src-main/domain/configuration.ts';
import { aCall, aTurn } from '../support/run-builders.ts';
import { aSearch, HOSTILE_QUERIES, naughtyQueries } from '../support/search.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';
import { livesOf } from '../support/store-life.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
let search: ReturnType<typeof openSearchReader>;

function open(settings: Partial<ConfigurationSettings> = {}): void {
  fixture = openStoreFixture(settings);
  lives = livesOf(fixture);
  search = openSearchReader(fixture.path, () => true);
}
beforeEach(() => open());
afterEach(() => {
  search.close();
  fixture.dispose();
});

const find = (changes: Partial<SearchQuery>) => search.search(aSearch(changes));
const labels = (changes: Partial<SearchQuery>): string[] => find(changes).runs.map(({ label }) => label);
const named = (label: string) => lives.enqueue({ label });
const asking = (content: string) => ({
  v: 1 as const,
  messages: [{ role: 'user' as const, content }],
  allowedToolNames: null,
  temperature: null,
  maxOutputTokens: null,
});

describe('the words of a search', () => {
  it('find a run by each part of its label, whatever its case and accents, the newest first', async () => {
    await named('Über die Größe von Seite 42');
    await named('Menú de la página 42');
    expect(labels({ text: '42' })).toEqual(['Menú de la página 42', 'Über die Größe von Seite 42']);
    expect(labels({ text: 'UBER grÖße' })).toEqual(['Über die Größe von Seite 42']);
    expect(labels({ text: 'pagina' })).toEqual(['Menú de la página 42']);
    expect(labels({ text: 'menu' })).toEqual(['Menú de la página 42']);
    expect(labels({ text: 'menú größe' })).toEqual([]);
  });

  it('may leave the last one unfinished, and no other', async () => {
    await named('Meta description of page 42');
    for (const text of ['me', 'met', 'meta descri', 'description meta', 'page meta d']) {
      expect(labels({ text }), text).toHaveLength(text === 'page meta d' ? 0 : 1);
    }
    expect(labels({ text: 'descri meta' })).toEqual([]);
  });

  it('find it by configuration, initiator, proposed and used tools and targets, each kept once', async () => {
    const waiting = await lives.waiting(aTurn([aCall('set_x')]));
    for (const text of ['sample', 'tester', 'set_x', 'set', 'site/pages#42', 'pages']) {
      expect(labels({ text }), text).toEqual(['a run']);
    }
    await lives.go(waiting.id, 'decide_approval', lives.decision(waiting));
    const run = await lives.claim(20_000);
    const payload = { toolName: 'read_x', requestedToolNames: ['read_x', 'set_x', 7] };
    await lives.go(
      run.id,
      'record_step',
      lives.step(run, { events: [{ kind: 'llm', round: 2, durationMs: 1, payload }] }),
    );
    await lives.go(
      run.id,
      'record_step',
      lives.step(run, { events: [{ kind: 'llm', round: 2, durationMs: 1, payload }] }),
    );
    expect(labels({ text: 'read_x' })).toEqual(['a run']);
    expect(fixture.database.prepare('select tools, targets from run_index').get()).toEqual({
      tools: '["set_x","read_x"]',
      targets: '["site/pages#42"]',
    });
  });

  it('never are operators: any text is an answer, not a syntax error', async () => {
    await named('AND OR NOT NEAR page');
    for (const text of [...HOSTILE_QUERIES, ...naughtyQueries()]) expect(() => find({ text }), text).not.toThrow();
    expect(labels({ text: 'NEAR page' })).toHaveLength(1);
    expect(labels({ text: 'NOT nothing' })).toEqual([]);
    expect(labels({ text: 'page OR nothing' })).toEqual([]);
    expect(labels({ text: '***' })).toEqual([]);
    expect(labels({ text: '-page ^page "page' })).toHaveLength(1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void find({ text })),
      { numRuns: 500 },
    );
  });

  it('leave out what cannot be seen, in the search and in what is searched', async () => {
    await named('pa\u200bge \u202egnp.exe\u0000 of\u00a0forty');
    expect(labels({ text: 'page' })).toHaveLength(1);
    expect(labels({ text: 'p\u2060age \ufefffo\u00adrty' })).toHaveLength(1);
  });

  it('reach into a prompt only where privacy is full, and only for who may read it', async () => {
    await lives.enqueue({ label: 'closed', request: asking('the word is ornithology') });
    expect(labels({ text: 'ornithology' })).toEqual([]);
    search.close();
    fixture.dispose();
    open({ privacy: 'full' });
    await lives.enqueue({ label: 'open', request: asking(`the word is ornithology ${'x '.repeat(3_000)} taxidermy`) });
    expect(labels({ text: 'ornithology open' })).toEqual(['open']);
    expect(labels({ text: 'taxidermy' })).toEqual([]);
    expect(labels({ text: 'ornithology', seesPrompts: false })).toEqual([]);
    expect(labels({ text: 'open', seesPrompts: false })).toEqual(['open']);
    // Another tool is added; the prompt stays what it was.
    const run = await lives.claim();
    await lives.suspend(run);
    expect(labels({ text: 'ornithology set_x' })).toEqual(['open']);
  });
});

describe('a narrowed search', () => {
  it('is answered by group, status, tool, target, configuration, initiator and age, alone and together', async () => {
    const waiting = await lives.waiting();
    const ended = await lives.enqueue({ label: 'ended' }, 5_000);
    await lives.go(ended.id, 'cancel', { actor: OPERATOR });
    await lives.enqueue({ label: 'queued' }, 6_000);
    expect(labels({ group: 'needs_me' })).toEqual(['a run']);
    expect(labels({ group: 'active' })).toEqual(['queued']);
    expect(labels({ group: 'ended' })).toEqual(['ended']);
    expect(labels({ status: 'cancelled' })).toEqual(['ended']);
    expect(labels({ status: 'failed' })).toEqual([]);
    expect(labels({ tool: 'set_x' })).toEqual(['a run']);
    expect(labels({ tool: 'set' })).toEqual([]);
    expect(labels({ target: 'site/pages#42' })).toEqual(['a run']);
    expect(labels({ configuration: 'sample' })).toEqual(['queued', 'ended', 'a run']);
    expect(labels({ configuration: 'other' })).toEqual([]);
    expect(labels({ initiator: 'tester' })).toEqual(['queued', 'ended', 'a run']);
    expect(labels({ sinceMs: 5_000 })).toEqual(['queued', 'ended']);
    expect(labels({ sinceMs: 5_000, text: 'ended', group: 'ended', configuration: 'sample' })).toEqual(['ended']);
    expect(labels({ tool: 'set_x', group: 'ended' })).toEqual([]);
    await lives.go(waiting.id, 'cancel', { actor: OPERATOR });
    expect(labels({ tool: 'set_x', group: 'ended' })).toEqual(['a run']);
    expect(labels({ group: 'needs_me' })).toEqual([]);
  });

  it('gives the same whichever condition is walked, page by page, also when all of them are common', async () => {
    const numbered = (number: number) => named(`page ${number} ${number % 2 === 0 ? 'evenness' : 'oddness'}`);
    await Promise.all(Array.from({ length: 1_100 }, (_, number) => numbered(number)));
    for (const text of ['even', 'page evenn', 'page evenness', null]) {
      const seen: string[] = [];
      for (let beforeKey: number | null = null; ;) {
        const page = find({
          text,
          configuration: 'sample',
          group: 'active',
          initiator: 'tester',
          beforeKey,
          limit: 110,
        });
        expect(page.count).toBe(Math.min(51, (text ? 550 : 1_100) - seen.length));
        seen.push(...page.runs.map(({ label }) => label));
        if (page.nextKey === null) break;
        beforeKey = page.nextKey;
      }
      const numbers = seen.map((label) => Number(label.split(' ')[1]));
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
      expect(numbers).toHaveLength(text ? 550 : 1_100);
    }
  });

  it('shows a person without rights only what is theirs, in pages, counts and facets', async () => {
    saveOperator(
      fixture.statements,
      fixture.sealer,
      { id: 2, name: 'second', osAccount: 'uid:2', isAdmin: false, isEnabled: true, grants: [] },
      1,
    );
    await named('mine');
    await lives.waiting();
    await lives.enqueue({ label: 'theirs', actor: { kind: 'operator', operatorId: 2 } });
    expect(find({ ownerId: 2, withFacets: true })).toMatchObject({
      runs: [{ label: 'theirs' }],
      count: 1,
      facets: {
        groups: [{ value: 'active', count: 1 }],
        tools: [],
        configurations: [{ value: 'sample', count: 1 }],
        initiators: [{ value: 'second', count: 1 }],
      },
    });
    expect(find({ withFacets: true }).facets).toEqual({
      groups: [
        { value: 'active', count: 2 },
        { value: 'needs_me', count: 1 },
      ],
      tools: [{ value: 'set_x', count: 1 }],
      configurations: [{ value: 'sample', count: 3 }],
      initiators: [
        { value: 'second', count: 1 },
        { value: 'tester', count: 2 },
      ],
    });
  });

  it('counts to 51 and not further', async () => {
    await Promise.all(Array.from({ length: 60 }, () => named('many')));
    expect(find({ text: 'many', limit: 1, withFacets: true })).toMatchObject({
      count: 51,
      facets: { groups: [{ value: 'active', count: 51 }] },
    });
  });
});

describe('the index', () => {
  const content = () => ({
    index: fixture.database.prepare('select * from run_index order by key').all(),
    names: fixture.database.prepare('select * from run_names').all(),
    counts: fixture.database.prepare('select * from run_counts where runs > 0').all(),
  });

  it('is no part of a transition that was refused', async () => {
    const run = await lives.waiting();
    const before = content();
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run, { turnDigest: 'stale' }))).toMatchObject({
      ok: false,
    });
    expect(content()).toEqual(before);
  });

  it('forgets a run that is deleted: its words, its names, its count', async () => {
    const { id } = await lives.waiting();
    await named('kept');
    fixture.database.pragma('foreign_keys = off');
    fixture.database.exec('delete from pending_turns; delete from run_requests');
    fixture.database.pragma('foreign_keys = on');
    fixture.database.exec('drop trigger run_events_no_delete; delete from run_events');
    fixture.database.prepare('delete from runs where id = ?').run(id);
    expect(labels({ text: 'set_x' })).toEqual([]);
    expect(labels({ text: 'sample' })).toEqual(['kept']);
    expect(content()).toMatchObject({ index: [{ run_id: expect.any(String) as string }], names: [] });
    expect(await fixture.store.countByStatus()).toMatchObject({ queued: 1, waiting_for_approval: 0 });
    expect(fixture.database.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

describe('a search reader', () => {
  it('cannot write, and ends in the middle of a search that nobody waits for', async () => {
    await named('a');
    let isWanted = true;
    const reader = openSearchReader(fixture.path, () => isWanted);
    expect(reader.search(aSearch()).runs).toHaveLength(1);
    isWanted = false;
    expect(() => reader.search(aSearch())).toThrow('nobody waits');
    reader.close();
  });

  it('T-122 says so when a newer release has migrated the file', async () => {
    await named('a');
    fixture.database.pragma('user_version = 990');
    expect(() => find({})).toThrow('schema version 990');
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headText } from '../../src-main/store/change-log.ts';
import { installationPublicKey, lastHead } from '../../src-main/store/signed-heads.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
let first: string;
let second: string;

/** Two runs: one decided and ended, one that waits; then the append-only triggers are off, as for anybody with the file. */
beforeEach(async () => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
  const waiting = await lives.waiting();
  first = waiting.id;
  await lives.go(first, 'decide_approval', lives.decision(waiting));
  const run = await lives.claim(20_000);
  await lives.go(first, 'record_step', lives.step(run, { rounds: 1, endsTurn: true }));
  await lives.go(first, 'complete', { ...lives.held(run), reason: 'completed', answer: 'done' });
  second = (await lives.waiting()).id;
  const triggers = fixture.database
    .prepare(`select name from sqlite_schema where type = 'trigger' union all select name from sqlite_temp_schema`)
    .pluck()
    .all();
  for (const name of triggers as string[]) fixture.database.exec(`drop trigger ${name}`);
  fixture.database.pragma('foreign_keys = off');
});
afterEach(() => fixture.dispose());

const edit = (sql: string, ...values: unknown[]): void => {
  expect(fixture.database.prepare(sql).run(...values).changes, sql).toBeGreaterThan(0);
};
const problems = () => verifyChain(fixture.statements, fixture.sealer).problems;
const text = () =>
  problems()
    .map(({ where, problem }) => `${where}: ${problem}`)
    .join('\n');

const lastEvent = (runId: string) =>
  `run_id = '${runId}' and sequence = (select max(sequence) from run_events where run_id = '${runId}')`;
const lastChange = 'seq = (select max(seq) from changes)';

/** Takes the newest event and change of the second run away and makes its row fit, as a careful forger would. */
function forgeShorterHistory(): void {
  edit(`delete from changes where ${lastChange}`);
  edit(`delete from run_events where ${lastEvent(second)}`);
  edit(
    `update runs set status = 'running', owner_token = 't', lease_expires_at_ms = 1,
       last_sequence = last_sequence - 1,
       last_hash = (select hash from run_events where ${lastEvent(second)}) where id = ?`,
    second,
  );
}

const resign = (mac: (value: string) => string): void => {
  const last = fixture.database.prepare(`select seq, hash from changes where ${lastChange}`).get() as {
    seq: number;
    hash: string;
  };
  edit(
    'update chain_head set seq = ?, hash = ?, mac = ?',
    last.seq,
    last.hash,
    mac(headText(last.seq, last.hash, lastHead(fixture.statements))),
  );
};

describe('an untouched file', () => {
  it('has no problems, and its figures are those of the tables', () => {
    const report = verifyChain(fixture.statements, fixture.sealer);
    const publicKey = installationPublicKey(fixture.statements);
    expect(report).toEqual({ runs: 2, events: 10, changes: 10, heads: 2, receipts: 1, publicKey, problems: [] });
  });

  it('R-175 numbers the events of a run from 0 without gaps, each with the hash of the one before', async () => {
    const events = await fixture.store.events(first, -1);
    expect(events.map((event) => event.sequence)).toEqual(events.map((_event, index) => index));
    expect(events.map((event) => event.previousHash)).toEqual([
      '0'.repeat(64),
      ...events.slice(0, -1).map((event) => event.hash),
    ]);
    expect(events.map((event) => event.kind)).toEqual([
      'queued',
      'attempt',
      'suspended',
      'approval',
      'attempt',
      'llm',
      'finished',
    ]);
  });
});

describe('an edited file', () => {
  const FOUND: [what: string, change: () => void, problem: () => string][] = [
    [
      'a changed payload',
      () =>
        edit(
          `update run_events set payload = replace(payload, 'true', 'false') where run_id = ? and kind = 'approval'`,
          first,
        ),
      () => `event 3 of run ${first}: its content was changed`,
    ],
    [
      'a payload of the same meaning in other bytes',
      () => edit(`update run_events set payload = payload || ' ' where run_id = ? and sequence = 3`, first),
      () => `event 3 of run ${first}: its content was changed`,
    ],
    [
      'a payload that is no text of ours',
      () => edit(`update run_events set payload = char(55296) where run_id = ? and sequence = 3`, first),
      () => `event 3 of run ${first}: its content was changed`,
    ],
    [
      'a changed kind',
      () => edit(`update run_events set kind = 'input' where run_id = ? and sequence = 3`, first),
      () => `event 3 of run ${first}: its content was changed`,
    ],
    [
      'a changed time',
      () => edit(`update run_events set at_ms = at_ms + 1 where run_id = ? and sequence = 2`, first),
      () => `event 2 of run ${first}: its content was changed`,
    ],
    [
      'a changed attempt',
      () => edit(`update run_events set attempt = 9 where run_id = ? and sequence = 2`, first),
      () => `event 2 of run ${first}: its content was changed`,
    ],
    [
      'a changed hash',
      () =>
        edit(
          `update run_events set hash = replace(hash, substr(hash, 1, 1), 'x') where run_id = ? and sequence = 3`,
          first,
        ),
      () => `event 3 of run ${first}: its content was changed`,
    ],
    [
      'a dropped middle event',
      () => edit(`delete from run_events where run_id = ? and sequence = 3`, first),
      () => `event 4 of run ${first}: event 3 is missing before it`,
    ],
    [
      'a dropped first event',
      () => edit(`delete from run_events where run_id = ? and sequence = 0`, first),
      () => `event 1 of run ${first}: event 0 is missing before it`,
    ],
    [
      'a dropped last event',
      () => edit(`delete from run_events where ${lastEvent(first)}`),
      () => `run ${first}: its newest event (6) is missing or another one`,
    ],
    [
      'an event too many',
      () =>
        edit(
          `insert into run_events select run_id, sequence + 1, kind, round, attempt, at_ms, duration_ms, payload, hash, 'x' from run_events where ${lastEvent(first)}`,
        ),
      () => `run ${first}: it has events its row does not know`,
    ],
    [
      'two events exchanged',
      () => {
        edit('update run_events set sequence = 100 where run_id = ? and sequence = 2', first);
        edit('update run_events set sequence = 2 where run_id = ? and sequence = 3', first);
        edit('update run_events set sequence = 3 where run_id = ? and sequence = 100', first);
      },
      () => `event 2 of run ${first}: it does not follow the event before it`,
    ],
    [
      'a changed row of the log of changes',
      () => edit(`update changes set kind = 'step' where seq = 4`),
      () => 'change 4: its content was changed',
    ],
    [
      'a dropped middle change',
      () => edit('delete from changes where seq = 4'),
      () => 'change 5: change 4 is missing before it',
    ],
    [
      'a dropped last change',
      () => edit(`delete from changes where ${lastChange}`),
      () => 'chain head: it ends at change 10, the stored log ends at 9',
    ],
    [
      'an edited status',
      () => edit(`update runs set status = 'failed' where id = ?`, first),
      () => `run ${first}: its status is failed, the log of changes says completed`,
    ],
    [
      'an edited last hash',
      () => edit(`update runs set last_hash = 'x' where id = ?`, first),
      () => `run ${first}: its newest event (6) is missing or another one`,
    ],
    [
      'an edited last sequence',
      () =>
        edit(
          `update runs set last_sequence = 5, last_hash = (select hash from run_events where run_id = runs.id and sequence = 5) where id = ?`,
          first,
        ),
      () => `run ${first}: it has events its row does not know`,
    ],
    [
      'a removed run row',
      () => edit('delete from runs where id = ?', second),
      () => `run ${second}: its row is missing`,
    ],
    [
      'a run put in from outside',
      () => edit(`insert into runs select 'stray', ${columns('id')} from runs where id = ?`, second),
      () => 'run stray: the log of changes does not know it',
    ],
    [
      'a removed head',
      () => edit('delete from chain_head'),
      () => 'chain head: it is missing although changes are stored',
    ],
    [
      'a head signed with another key',
      () => resign((value) => createSealer(randomBytes(32)).mac(value)),
      () => 'chain head: its signature is not ours',
    ],
    [
      'a head signed with a plain hash',
      () => resign((value) => createHash('sha256').update(value).digest('hex')),
      () => 'chain head: its signature is not ours',
    ],
    [
      'a head whose signature is no digest',
      () => edit(`update chain_head set mac = 'é' || substr(mac, 2)`),
      () => 'chain head: its signature is not ours',
    ],
    [
      'a head of an earlier moment',
      () => edit('update chain_head set seq = 9, hash = (select hash from changes where seq = 9)'),
      () => 'chain head: its signature is not ours',
    ],
    [
      'a shorter history whose row fits',
      forgeShorterHistory,
      () => 'chain head: it ends at change 10, the stored log ends at 9',
    ],
    [
      'a shorter history signed with another key',
      () => {
        forgeShorterHistory();
        resign((value) => createSealer(randomBytes(32)).mac(value));
      },
      () => 'chain head: its signature is not ours',
    ],
    [
      'all changes removed with their head',
      () => {
        edit('delete from changes');
        edit('delete from chain_head');
      },
      () => `run ${first}: the log of changes does not know it`,
    ],
  ];

  it.each(FOUND)('shows %s', (_what, change, problem) => {
    expect(problems()).toEqual([]);
    change();
    expect(text()).toContain(problem());
  });

  it('shows a shorter history by its head alone: everything else fits', () => {
    forgeShorterHistory();
    expect(problems()).toHaveLength(1);
  });

  it('still says where when a whole run is rehashed: the change that binds it does not fit', () => {
    edit(`update run_events set payload = '{}', hash = 'f' where ${lastEvent(first)}`);
    edit(`update runs set last_hash = 'f' where id = ?`, first);
    expect(text()).toMatch(new RegExp(`change \\d+: event 6 of run ${first} is missing or another one`));
  });
});

/** The columns of a run but one, so that a copy can be stored under another id. */
function columns(without: string): string {
  const names = fixture.database.prepare(`select name from pragma_table_info('runs')`).pluck().all() as string[];
  return names.filter((name) => name !== without).join(', ');
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { WriteQueue, type QueueTimer } from '../../src-main/store/write-queue.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';

let folder: string;
let path: string;
let database: Database;
let reader: Database;
let timer: FakeTimer;
let transactions: number;
let queue: WriteQueue;

/** Time that passes only while the queue waits. */
class FakeTimer implements QueueTimer {
  nowMs = 0;
  pauses: number[] = [];
  rolls = [0, 0.25, 0.5, 0.999];
  onPause: () => void = () => undefined;
  monotonicMs = () => this.nowMs;
  random = () => this.rolls[this.pauses.length % this.rolls.length] as number;
  pause = async (ms: number): Promise<void> => {
    this.pauses.push(ms);
    this.nowMs += ms;
    this.onPause();
    await new Promise(setImmediate);
  };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-queue-'));
  path = join(folder, 'queue.db');
  database = openConnection(path);
  database.exec('create table written (name text primary key, body blob)');
  reader = openSqlite(path, { busyTimeoutMs: 0, readonly: true });
  timer = new FakeTimer();
  transactions = 0;
  queue = new WriteQueue(database, timer, () => {
    transactions += 1;
  });
});
afterEach(() => {
  // Missing when the set-up itself failed; the folder goes all the same.
  reader?.close();
  database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, body = ''): void => {
  database.prepare('insert into written values (?, ?)').run(name, body);
};
const put = (name: string, body?: string) =>
  queue.run(() => {
    write(name, body);
    return accepted(name);
  });
const stored = (): string[] => reader.prepare('select name from written order by name').pluck().all() as string[];

/** Transactions that reached the log: a WAL frame that ends one carries the size of the file. */
function commitsInLog(): number {
  const log = readFileSync(`${path}-wal`);
  const frameBytes = log.readUInt32BE(8) + 24;
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

describe('members that become ready together', () => {
  it('share one transaction and one commit', async () => {
    const before = commitsInLog();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => put(name)));
    expect(transactions).toBe(1);
    expect(commitsInLog() - before).toBe(1);
    expect(stored()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('do not share it with members of a later tick', async () => {
    await put('a');
    await put('b');
    expect(transactions).toBe(2);
  });

  it('are split so that no transaction holds the lock for long', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, index) => put(`n${index}`)));
    expect(transactions).toBeGreaterThanOrEqual(4);
    expect(transactions).toBeLessThan(10);
    expect(stored()).toHaveLength(200);
  });

  it('run in the order they came, each on the result of the ones before', async () => {
    const counts: number[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        queue.run(() => {
          counts.push(database.prepare('select count(*) from written').pluck().get() as number);
          write(name);
          return accepted(null);
        }),
      ),
    );
    expect(counts).toEqual([0, 1, 2]);
  });

  it('are all served when a member adds another one', async () => {
    const results = await Promise.all([put('a').then(() => put('b')), put('c')]);
    expect(results.every((result) => result.ok)).toBe(true);
    expect(stored()).toEqual(['a', 'b', 'c']);
  });
});

describe('the event loop of the process', () => {
  it('turns between two groups, although each write starts the next one at once', async () => {
    let isDone = false;
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    for (let index = 0; index < 20; index += 1) await put(`n${index}`);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('turns after ten milliseconds of work: the rest of the group waits for the next transaction', async () => {
    const slow = (name: string) =>
      queue.run(() => {
        timer.nowMs += 4;
        write(name);
        return accepted(name);
      });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const results = await Promise.all(names.map(slow));
    expect(results.map((result) => result.ok && result.value)).toEqual(names);
    expect(transactions).toBe(3);
    expect(stored()).toEqual(names);
  });

  it('stands still for one member at most, however slow it is', async () => {
    const slow = (name: string) =>
      queue.run(() => {
        timer.nowMs += 500;
        write(name);
        return accepted(name);
      });
    await Promise.all(['a', 'b'].map(slow));
    expect(transactions).toBe(2);
  });
});

describe('a promise', () => {
  it('T-02 resolves only after the commit: another connection sees the row by then', async () => {
    const seen: string[][] = [];
    let seenInside: string[] | undefined;
    await Promise.all(
      ['a', 'b'].map(async (name) => {
        await queue.run(() => {
          write(name);
          seenInside = stored();
          return accepted(null);
        });
        seen.push(stored());
      }),
    );
    expect(seenInside).toEqual([]);
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('T-02 of a refusal resolves after the commit, too', async () => {
    let seen: string[] = [];
    const refusal = queue
      .run(() => refused({ kind: 'stale_turn' }))
      .then((result) => {
        seen = stored();
        return result;
      });
    await Promise.all([refusal, put('neighbour')]);
    expect(await refusal).toEqual({ ok: false, refusal: { kind: 'stale_turn' } });
    expect(seen).toEqual(['neighbour']);
  });

  it('T-02 of a refusal is not the one of a transaction that was discarded: the member is judged again', async () => {
    let commits = 0;
    const flaky = new WriteQueue(database, timer, () => {
      commits += 1;
      if (commits === 1) throw new Error('The first commit fails.');
    });
    let tries = 0;
    const first = flaky.run(() => {
      tries += 1;
      if (tries > 1) return refused({ kind: 'lease_lost' });
      write('a');
      return accepted(null);
    });
    const second = flaky.run(() => {
      if (database.prepare(`select count(*) from written where name = 'a'`).pluck().get() === 1) {
        return refused({ kind: 'stale_turn' });
      }
      write('b');
      return accepted(null);
    });
    expect(await Promise.all([first, second])).toEqual([
      { ok: false, refusal: { kind: 'lease_lost' } },
      { ok: true, value: null },
    ]);
    expect(stored()).toEqual(['b']);
  });

  it('T-02 is rejected when the commit itself fails, and nothing is stored', async () => {
    const broken = new WriteQueue(database, timer, () => {
      throw new Error('The head cannot be signed.');
    });
    const results = await Promise.allSettled(
      ['a', 'b'].map((name) =>
        broken.run(() => {
          write(name);
          return accepted(null);
        }),
      ),
    );
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(database.inTransaction).toBe(false);
    expect(stored()).toEqual([]);
    await put('after');
    expect(stored()).toEqual(['after']);
  });
});

describe('a member that does not go through', () => {
  const failing = (name: string, end: () => Result<null>) =>
    queue.run(() => {
      write(`${name} 1`);
      write(`${name} 2`);
      return end();
    });

  it('rolls back itself and nothing else when it is refused', async () => {
    const results = await Promise.all([put('a'), failing('refused', () => refused({ kind: 'stale_turn' })), put('b')]);
    expect(results.map((result) => result.ok)).toEqual([true, false, true]);
    expect(transactions).toBe(1);
    expect(stored()).toEqual(['a', 'b']);
  });

  it.each([
    ['no member', [], 0],
    ['a member that wrote nothing', [refused({ kind: 'stale_turn' })], 0],
    ['a member that wrote', [refused({ kind: 'stale_turn' })], 1],
  ] as const)(
    'lets its neighbours run once more when %s has to be undone, only if it wrote',
    async (_, refusals, rows) => {
      let runs = 0;
      const neighbour = queue.run(() => {
        runs += 1;
        write('neighbour');
        return accepted(null);
      });
      const others = refusals.map((refusal) =>
        queue.run(() => {
          if (rows > 0) write('refused');
          return refusal;
        }),
      );
      await Promise.all([neighbour, ...others]);
      expect(runs).toBe(1 + rows);
      expect(transactions).toBe(1);
      expect(stored()).toEqual(['neighbour']);
    },
  );

  it('H-123 rolls back itself and nothing else when it throws', async () => {
    const fault = new Error('A bug.');
    const throwing = failing('thrown', () => {
      throw fault;
    });
    const results = await Promise.allSettled([put('a'), throwing, put('b'), put('a')]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect((results[1] as PromiseRejectedResult).reason).toBe(fault);
    expect((results[3] as PromiseRejectedResult).reason).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    expect(transactions).toBe(1);
    expect(stored()).toEqual(['a', 'b']);
  });
});

describe('a full disk', () => {
  const BIG = 'x'.repeat(4096 * 40);

  /** Leaves room for small rows only. */
  function fill(): void {
    const pages = database.pragma('page_count', { simple: true }) as number;
    database.pragma(`max_page_count = ${pages + 8}`);
  }

  it('H-123 aborts the whole transaction inside SQLite, which is why the queue looks', () => {
    fill();
    database.exec('begin immediate; savepoint member');
    expect(() => write('big', BIG)).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }) as Error);
    const isOpen = database.inTransaction;
    if (isOpen) database.exec('rollback');
    expect(isOpen).toBe(false);
  });

  it('H-123 rejects the guilty member only; the others are committed, once each', async () => {
    fill();
    const runs: Record<string, number> = {};
    const counted = (name: string, body?: string) =>
      queue.run(() => {
        runs[name] = (runs[name] ?? 0) + 1;
        write(name, body);
        return accepted(name);
      });
    const before = commitsInLog();
    const results = await Promise.allSettled([counted('a'), counted('big', BIG), counted('b')]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'SQLITE_FULL' });
    expect(runs).toEqual({ a: 2, big: 2, b: 1 });
    expect(stored()).toEqual(['a', 'b']);
    expect(commitsInLog() - before).toBe(2);
    expect(database.inTransaction).toBe(false);
    await put('after');
    expect(stored()).toEqual(['a', 'after', 'b']);
  });

  it('H-123 still returns the refusal of a neighbour', async () => {
    fill();
    const [small, big, refusal] = await Promise.allSettled([
      put('a'),
      put('big', BIG),
      queue.run(() => refused({ kind: 'stale_turn' })),
    ]);
    expect(small.status).toBe('fulfilled');
    expect(big.status).toBe('rejected');
    expect(refusal).toEqual({ status: 'fulfilled', value: { ok: false, refusal: { kind: 'stale_turn' } } });
  });
});

describe('a lock held elsewhere', () => {
  let other: Database;
  beforeEach(() => {
    other = openSqlite(path, { busyTimeoutMs: 0 });
    other.exec('begin immediate');
  });
  afterEach(() => other.close());

  it('T-126 is waited for outside SQLite, in random pauses of 0 to 2 ms', async () => {
    timer.onPause = () => {
      if (timer.pauses.length === 8) other.exec('commit');
    };
    expect(await put('a')).toEqual({ ok: true, value: 'a' });
    expect(timer.pauses).toEqual([0, 0.5, 1, 1.998, 0, 0.5, 1, 1.998]);
    expect(stored()).toEqual(['a']);
  });

  it('T-126 makes everybody who waits "store_busy" after five seconds, and nothing is stored', async () => {
    timer.rolls = [0.999];
    const results = await Promise.all([put('a'), put('b')]);
    for (const result of results) expect(result).toMatchObject({ ok: false, refusal: { kind: 'store_busy' } });
    const waitedMs = (results[0] as { refusal: { waitedMs: number } }).refusal.waitedMs;
    expect(waitedMs).toBeGreaterThanOrEqual(5_000);
    expect(waitedMs).toBeLessThan(5_003);
    expect(transactions).toBe(0);
    other.exec('commit');
    expect(stored()).toEqual([]);
    expect(await put('a')).toEqual({ ok: true, value: 'a' });
  });

  it('T-126 does not run the work before the lock is there', async () => {
    let runs = 0;
    timer.onPause = () => {
      if (timer.pauses.length === 3) other.exec('commit');
    };
    await queue.run(() => {
      runs += 1;
      return accepted(null);
    });
    expect(runs).toBe(1);
  });
});

describe('a closed database', () => {
  it('H-123 is a fault of every member, not a hang', async () => {
    const closed = openConnection(join(folder, 'closed.db'));
    const orphaned = new WriteQueue(closed, timer, () => undefined);
    closed.close();
    const results = await Promise.allSettled([orphaned.run(() => accepted(1)), orphaned.run(() => accepted(2))]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  });
});

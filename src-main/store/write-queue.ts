import type { Database, Statement } from 'better-sqlite3';
import { refused, type Result } from '../../src-shared/refusals.ts';
import { isBusy } from '../system/open-sqlite.ts';

/** One transition of a group: runs inside the transaction, may run again, must not have effects outside it. */
type Work = () => Result<unknown>;

interface Member {
  work: Work;
  resolve: (result: Result<never>) => void;
  reject: (error: unknown) => void;
}

type Outcome = { result: Result<unknown> } | { error: unknown };

/** Time as the queue needs it; monotonic milliseconds. */
export interface QueueTimer {
  monotonicMs(): number;
  pause(ms: number): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

/** How long a writer retries for the lock before it refuses with `store_busy`. */
const BUSY_LIMIT_MS = 5_000;
/** Waiting a random 0 to 2 ms outside SQLite kept the worst wait at 124 ms where SQLite's own waiting starved a process for 4.8 s. */
const PAUSE_MS = 2;
/**
 * Bounds the time one transaction holds the lock and this process does nothing else:
 * below a frame of the screen. By count alone, a backlog of 140 writes stopped the
 * event loop for 40 ms, on a busy machine for 120 ms.
 */
const GROUP_MS = 10;
const GROUP_SIZE = 64;

/**
 * Group commit: transitions that are ready at the same moment share one
 * transaction and so one fsync. A member that throws, or is refused after it wrote,
 * undoes only itself; every promise, refusals too, resolves only after COMMIT.
 * Savepoints would do that, and SQLite then keeps a copy of each page that each member
 * touches, past 64 KiB in a file: a third of the throughput of 32 runs. So a group runs
 * without them first, and once more with them when a member has to be undone.
 * Some errors (disk full, I/O) abort the whole transaction: then the group is
 * discarded and each member runs alone, so only the guilty one fails.
 * Source: architecture.md §3 "Group commit".
 */
export class WriteQueue {
  readonly #database: Database;
  readonly #timer: QueueTimer;
  readonly #beforeCommit: () => void;
  readonly #afterBegin: () => void;
  readonly #writes: Statement;
  readonly #members: Member[] = [];
  #isFlushing = false;

  /**
   * `beforeCommit` runs once per transaction, after its members and before COMMIT;
   * `afterBegin` before its members: what it throws, every member is told.
   */
  constructor(
    database: Database,
    timer: QueueTimer,
    beforeCommit: () => void,
    afterBegin: () => void = () => undefined,
  ) {
    this.#database = database;
    this.#timer = timer;
    this.#beforeCommit = beforeCommit;
    this.#afterBegin = afterBegin;
    this.#writes = database.prepare('select total_changes()').pluck();
  }

  /**
   * Runs `work` in a durable transaction.
   * Refuses: what `work` refuses; store_busy. Faults: what `work` throws; broken disk.
   */
  run<T>(work: () => Result<T>): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      this.#members.push({ work, resolve, reject });
      if (this.#isFlushing) return;
      this.#isFlushing = true;
      // Everything that becomes ready in this turn of the event loop joins the same group.
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    while (this.#members.length > 0) {
      const group = this.#members.splice(0, GROUP_SIZE);
      try {
        await this.#commit(group);
      } catch (error) {
        for (const member of group) member.reject(error);
      }
      // Who writes again as soon as a promise resolves would otherwise keep timers and messages out for ever.
      await nextTurn();
    }
    this.#isFlushing = false;
  }

  async #commit(group: Member[], isGuarded = false): Promise<void> {
    const waitedMs = await this.#begin();
    if (waitedMs !== null) {
      for (const member of group) member.resolve(refused({ kind: 'store_busy', waitedMs }));
      return;
    }
    const outcomes = this.#runGroup(group, isGuarded);
    if (outcomes === 'spoiled') return this.#commit(group, true);
    if (outcomes === 'aborted') {
      if (group.length === 1) throw this.#abortError;
      for (const member of group) await this.#commitAlone(member);
      return;
    }
    this.#members.unshift(...group.splice(outcomes.length));
    for (const [index, member] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if ('error' in outcome) member.reject(outcome.error);
      else member.resolve(outcome.result as Result<never>);
    }
  }

  async #commitAlone(member: Member): Promise<void> {
    try {
      await this.#commit([member]);
    } catch (error) {
      member.reject(error);
    }
  }

  /** Takes the write lock; returns null, or how long it waited in vain. */
  async #begin(): Promise<number | null> {
    const startedMs = this.#timer.monotonicMs();
    for (;;) {
      try {
        this.#database.exec('begin immediate');
        return null;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      const waitedMs = this.#timer.monotonicMs() - startedMs;
      if (waitedMs >= BUSY_LIMIT_MS) return Math.round(waitedMs);
      await this.#timer.pause(this.#timer.random() * PAUSE_MS);
    }
  }

  #abortError: unknown = null;

  /**
   * One whole transaction without an await in it: the outcomes of the members it
   * had time for, at least one. 'aborted' = nothing of it is stored; 'spoiled' = neither,
   * because one of them has to be undone and there was no savepoint to go back to.
   */
  #runGroup(group: Member[], isGuarded: boolean): Outcome[] | 'aborted' | 'spoiled' {
    const startedMs = this.#timer.monotonicMs();
    try {
      this.#afterBegin();
      const outcomes: Outcome[] = [];
      for (const member of group) {
        const outcome = isGuarded ? this.#runGuarded(member) : this.#runPlainly(member);
        if (outcome === 'spoiled') {
          this.#database.exec('rollback');
          return outcome;
        }
        outcomes.push(outcome);
        if (this.#timer.monotonicMs() - startedMs >= GROUP_MS) break;
      }
      this.#beforeCommit();
      this.#database.exec('commit');
      return outcomes;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('rollback');
      this.#abortError = error;
      return 'aborted';
    }
  }

  #runPlainly(member: Member): Outcome | 'spoiled' {
    const before = this.#writes.get();
    try {
      const result = member.work();
      return result.ok || this.#writes.get() === before ? { result } : 'spoiled';
    } catch (error) {
      // SQLite has rolled everything back by itself.
      if (!this.#database.inTransaction) throw error;
      return 'spoiled';
    }
  }

  #runGuarded(member: Member): Outcome {
    this.#database.exec('savepoint member');
    try {
      const result = member.work();
      if (!result.ok) this.#database.exec('rollback to member');
      this.#database.exec('release member');
      return { result };
    } catch (error) {
      // SQLite has rolled everything back by itself: the members before this one are gone as well.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('rollback to member');
      this.#database.exec('release member');
      return { error };
    }
  }
}

/** Lets timers, messages and other writers of this process come round. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

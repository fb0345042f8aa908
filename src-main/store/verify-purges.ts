import type { ChangeRow } from './change-log.ts';
import { INSTALLATION } from './installation-log.ts';
import type { Statements } from './statements.ts';

/**
 * Follows the marks of purges along the log of changes: each must be where its run had come to, nothing may follow it,
 * and after the marks of one transaction stands the event that says who had how many runs purged.
 */
export class PurgeWatch {
  readonly #statements: Statements;
  readonly #purged: ReadonlySet<string>;
  readonly #newest = new Map<string, ChangeRow>();
  #unanswered = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
    const ids = statements.get(`select run_id from changes where kind = 'purged' and run_id <> ''`).pluck().all();
    this.#purged = new Set(ids as string[]);
  }

  /** Whether the events of a run were taken away by a purge, which the log then has a mark of. */
  isPurged(runId: string): boolean {
    return this.#purged.has(runId);
  }

  /** What is wrong with the next change of the log; null = nothing. */
  problemOf(row: ChangeRow): string | null {
    if (row.run_id === INSTALLATION && row.kind === 'purged') {
      const marks = this.#unanswered;
      this.#unanswered = 0;
      return marks === this.#runsOf(row.last_sequence)
        ? null
        : `it answers for another number of runs than the ${marks} purged`;
    }
    if (row.kind !== 'purged' && this.#unanswered > 0) {
      this.#unanswered = 0;
      return 'runs were purged before it, and nobody answers for that';
    }
    return this.isPurged(row.run_id) ? this.#markProblem(row) : null;
  }

  #markProblem(row: ChangeRow): string | null {
    const before = this.#newest.get(row.run_id);
    this.#newest.set(row.run_id, row);
    if (before?.kind === 'purged') return 'its run was purged before it';
    if (row.kind !== 'purged') return null;
    this.#unanswered += 1;
    const fits =
      before?.last_sequence === row.last_sequence && before.last_hash === row.last_hash && before.status === row.status;
    return fits ? null : 'it marks a run as purged that was not there';
  }

  #runsOf(sequence: number): number | null {
    return this.#statements
      .get(`select json_extract(payload, '$.runs') from installation_events where sequence = ?`)
      .pluck()
      .get(sequence) as number | null;
  }
}

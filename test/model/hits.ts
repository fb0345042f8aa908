import type { RunStatus } from '../../src-shared/vocabulary.ts';
import { rowFor, type Mover } from '../../src-main/domain/transition-table.ts';

/** How often each transition came to which end, and how often each row of the table of transitions was taken. */
export class Hits {
  readonly #cells = new Map<string, Map<string, number>>();
  readonly #rows = new Map<string, number>();

  count(transition: string, outcome: string): void {
    const outcomes = this.#cells.get(transition) ?? new Map<string, number>();
    this.#cells.set(transition, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  }

  countMove(mover: Mover, from: RunStatus | 'new', to: RunStatus): void {
    const row = rowFor(mover, from, to);
    if (row && row !== 'step') this.#rows.set(row.id, (this.#rows.get(row.id) ?? 0) + 1);
  }

  ofRow(id: string): number {
    return this.#rows.get(id) ?? 0;
  }

  /** Every cell that was hit at all, as `transition outcome`. */
  cells(): string[] {
    return [...this.#cells].flatMap(([transition, outcomes]) =>
      [...outcomes.keys()].map((outcome) => `${transition} ${outcome}`),
    );
  }

  /** Cells that were hit, but not that often. */
  rarer(least: number): string[] {
    return [...this.#cells].flatMap(([transition, outcomes]) =>
      [...outcomes].filter(([, times]) => times < least).map(([outcome, times]) => `${transition} ${outcome} ${times}`),
    );
  }

  /** One line for each transition, then one with the rows. */
  table(): string {
    const width = Math.max(...[...this.#cells.keys()].map((transition) => transition.length));
    const list = (counts: Map<string, number>): string =>
      [...counts]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map((entry) => entry.join(' '))
        .join(', ');
    const lines = [...this.#cells]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([transition, outcomes]) => `${transition.padEnd(width)}  ${list(outcomes)}`);
    return [...lines, `${'rows'.padEnd(width)}  ${list(this.#rows)}`].join('\n');
  }
}

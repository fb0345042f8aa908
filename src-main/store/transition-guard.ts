import type { Database } from 'better-sqlite3';
import { allowedMoves } from '../domain/transition-table.ts';

/**
 * Makes SQLite itself refuse a move that the table of transitions does not know, for
 * everything this connection writes: a rule with a mistake in it then breaks its own
 * transaction instead of bringing an ended run back to life. Temporary triggers, so that
 * the table of a later release never meets the triggers of an earlier one.
 */
export function guardTransitions(database: Database): void {
  const moves = allowedMoves();
  const toFrom = (from: string): string => oneOf(moves.filter((move) => move.from === from).map(({ to }) => to));
  const updates = new Set(moves.map(({ from }) => `old.status = '${from}' and (${toFrom(from)})`));
  database.exec(`
    create temp trigger if not exists run_moves before update of status on main.runs
      when old.status <> new.status and not (${[...updates].join(' or ')})
      begin select raise(abort, 'runs: no such transition'); end;
    create temp trigger if not exists run_births before insert on main.runs
      when not (${toFrom('new')})
      begin select raise(abort, 'runs: no such transition'); end;`);
}

/** Compared one by one: for an `in` SQLite fills a table of its own with every row it looks at. */
const oneOf = (statuses: string[]): string =>
  [...new Set(statuses)].map((status) => `new.status = '${status}'`).join(' or ');

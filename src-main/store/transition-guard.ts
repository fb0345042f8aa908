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
  const updates = moves.filter(({ from }) => from !== 'new').map(({ from, to }) => `('${from}', '${to}')`);
  const births = moves.filter(({ from }) => from === 'new').map(({ to }) => `'${to}'`);
  database.exec(`
    create temp trigger if not exists run_moves before update of status on main.runs
      when old.status <> new.status and (old.status, new.status) not in (values ${updates.join(', ')})
      begin select raise(abort, 'runs: no such transition'); end;
    create temp trigger if not exists run_births before insert on main.runs
      when new.status not in (${births.join(', ')})
      begin select raise(abort, 'runs: no such transition'); end;`);
}

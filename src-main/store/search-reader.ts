import { openSqlite } from '../system/open-sqlite.ts';
import type { SearchPage, SearchQuery } from '../domain/run-search.ts';
import { fitsWords } from '../domain/search-words.ts';
import { assertCurrentSchema } from './migrate.ts';
import { FITS_WORDS, searchRuns, STILL_WANTED } from './search-query.ts';
import { Statements } from './statements.ts';

/** A reader waits for nobody in WAL mode but for the moment in which a file is recovered. */
const BUSY_TIMEOUT_MS = 1_000;

/** A connection that searches. */
export interface SearchReader {
  search(query: SearchQuery): SearchPage;
  close(): void;
}

/**
 * Opens a database to search in: nothing can be written through it. `isWanted` is asked of every row a search looks at;
 * once it says no, the search faults.
 * Faults: SQLITE_CANTOPEN; each search `NewerDatabaseError` and what SQLite says.
 */
export function openSearchReader(databasePath: string, isWanted: () => boolean): SearchReader {
  const database = openSqlite(databasePath, {
    readonly: true,
    fileMustExist: true,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
  });
  database.pragma('trusted_schema = off');
  database.function(STILL_WANTED, { deterministic: false }, () => {
    if (!isWanted()) throw new Error('nobody waits for it any more.');
    return 1;
  });
  database.function(FITS_WORDS, { deterministic: true }, (text: string, words: string) =>
    fitsWords(text, words) ? 1 : 0,
  );
  const statements = new Statements(database);
  // One moment for the whole page: facets, keys and rows belong together.
  const search = database.transaction((query: SearchQuery) => {
    assertCurrentSchema(statements);
    return searchRuns(statements, query);
  });
  return { search, close: () => database.close() };
}

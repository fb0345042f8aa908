/*
 * The thread that searches: a connection of its own that can only read, so that no search holds up a decision. Every
 * host and the command line start it with the first search (compose.ts).
 */
import type { SearchQuery } from './domain/run-search.ts';
import { openSearchReader } from './store/search-reader.ts';
import { answerQuestions, threadParent } from './system/thread-parent.ts';

const { databasePath, isWanted } = threadParent();
const reader = openSearchReader(databasePath, isWanted);
answerQuestions((query: SearchQuery) => reader.search(query));

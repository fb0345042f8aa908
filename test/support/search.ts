import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANY_RUN, type SearchQuery } from '../../src-main/domain/run-search.ts';

/** A search for everything, as an administrator; every part can be replaced. */
export function aSearch(changes: Partial<SearchQuery> = {}): SearchQuery {
  return {
    ...ANY_RUN,
    ownerId: null,
    seesPrompts: true,
    beforeKey: null,
    limit: 50,
    withFacets: false,
    ...changes,
  };
}

const NAUGHTY = join(import.meta.dirname, '../../../shared/vectors/strings/blns.base64.json');

/** What people type when they mean harm, or SQLite's query language by accident. */
export const HOSTILE_QUERIES = [
  '"',
  '""',
  '"unclosed',
  "'",
  'a" OR "b',
  'page AND NOT meta',
  'AND',
  'NEAR(page meta, 2)',
  'NEAR',
  '*',
  'pa*ge*',
  '-page',
  '^page',
  'about : page',
  '{about prompt} : page',
  '(((',
  'page)',
  'a + b',
  'page\u0000meta',
  '\ud800',
  'page\udfff',
  '\u0301',
  '\u0301page',
  '\u{1fae0}page',
  '\u{323af}\u{323b0}',
  '\ue000',
  `'; drop table runs; --`,
  'x'.repeat(200),
  '" '.repeat(100),
];

/** The big list of naughty strings, where it stands beside the checkout. */
export function naughtyQueries(): string[] {
  if (!existsSync(NAUGHTY)) return [];
  const encoded = JSON.parse(readFileSync(NAUGHTY, 'utf8')) as string[];
  return encoded.map((text) => Buffer.from(text, 'base64').toString('utf8'));
}

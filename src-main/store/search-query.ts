import {
  COUNT_CAP,
  EMPTY_PAGE,
  type FacetValue,
  type SearchFacets,
  type SearchPage,
  type SearchQuery,
} from '../domain/run-search.ts';
import { searchWords } from '../domain/search-words.ts';
import { readRun, RUN_COLUMNS, type RunRow } from './run-row.ts';
import type { Statements } from './statements.ts';

/*
 * The read side of search: newest first by the key of the index. Every condition can be answered in two ways, from a list
 * of its own in the order of keys, and by a look at one row. A page walks the list of its rarest condition and asks the
 * others of each row, so that it stops as soon as it is full and rarely looks at what it does not show.
 */

interface Condition {
  /** Its list: a source that gives `run_index`, and what is asked of it. */
  from: string;
  where: string;
  /** What orders the list. */
  key: string;
  /** The same condition of a row of `run_index`. */
  check: string;
}

const indexed = (index: string, column: string, parameter: string): Condition => ({
  from: `run_index indexed by ${index}`,
  where: `run_index.${column} = :${parameter}`,
  key: 'run_index.key',
  check: `run_index.${column} = :${parameter}`,
});

const named = (kind: 'tool' | 'target'): Condition => ({
  from: 'run_names as listed cross join run_index on run_index.key = listed.key',
  where: `listed.kind = '${kind}' and listed.name = :${kind}`,
  key: 'listed.key',
  check: `exists (select 1 from run_names where kind = '${kind}' and name = :${kind} and key = run_index.key)`,
});

const EVERYTHING: Condition = { from: 'run_index', where: 'true', key: 'run_index.key', check: 'true' };

/** The names of the functions a connection that searches must have. */
export const STILL_WANTED = 'still_wanted';
export const FITS_WORDS = 'fits_words';

const HAS_WORDS = `${FITS_WORDS}(iif(:sees_prompts, about || char(10) || prompt, about), :words)`;

/** The conditions a search can have, by the parameter they need; the likeliest to be rare first. */
const CONDITIONS = {
  target: named('target'),
  group: indexed('run_index_group', 'status_group', 'group'),
  owner: indexed('run_index_owner', 'initiator_id', 'owner'),
  initiator: indexed('run_index_initiator', 'initiator', 'initiator'),
  configuration: indexed('run_index_configuration', 'configuration', 'configuration'),
  tool: named('tool'),
  since: {
    from: 'runs indexed by runs_newest cross join run_index on run_index.run_id = runs.id',
    where: 'runs.created_at_ms >= :since',
    key: 'run_index.key',
    check: 'run_index.created_at_ms >= :since',
  },
  match: {
    from: 'run_text cross join run_index on run_index.key = run_text.rowid',
    where: 'run_text match :match',
    key: 'run_text.rowid',
    // Not asked of FTS5: to look at one row it reads a good part of the list of each word.
    check: HAS_WORDS,
  },
} as const satisfies Record<string, Condition>;
export type ConditionName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as ConditionName[];

/** Runs with a word that begins like the last one, as far as the index has a list of that; so many are looked at. */
const NEAR_RUNS = 1_000;
const NEAR: Condition = {
  from: `(select rowid as key from run_text where run_text match :near and rowid < :before order by rowid desc
    limit ${NEAR_RUNS}) as listed cross join run_index on run_index.key = listed.key`,
  where: HAS_WORDS,
  key: 'listed.key',
  check: HAS_WORDS,
};

/**
 * The keys of a page: the list of one condition ('all' = all runs), the others asked of each row. Each row asks whether
 * anybody still waits: the one place where a search that takes too long can be stopped.
 */
export function pageSql(walked: Walked, asked: readonly ConditionName[], hasStatus = false): string {
  const { from, where, key } = LISTED[walked];
  const checks = [
    ...asked.map((name) => CONDITIONS[name].check),
    ...(hasStatus ? ['(select status from runs where runs.id = run_index.run_id) = :status'] : []),
  ];
  return `select run_index.key from ${from}
    where ${where} and ${key} < :before and ${STILL_WANTED}() ${checks.map((check) => `and ${check}`).join(' ')}
    order by ${key} desc limit :limit`;
}

export type Walked = ConditionName | 'all' | 'near';
const LISTED: Record<Walked, Condition> = { ...CONDITIONS, all: EVERYTHING, near: NEAR };

/** A list shorter than this is walked whole rather than any other. */
const RARE = 1_000;

export const rareSql = (name: ConditionName): string =>
  `select count(*) from (select 1 from ${CONDITIONS[name].from} where ${CONDITIONS[name].where} limit ${RARE})`;

export const RUN_OF_KEY = `select ${RUN_COLUMNS} from runs where id = (select run_id from run_index where key = ?)`;

const NEWEST_KEY = Number.MAX_SAFE_INTEGER;

type Parameters = Record<ConditionName | 'status' | 'near' | 'words', string | number | null>;

/** One page. Faults: what SQLite says, also that nobody wants it any more. */
export function searchRuns(statements: Statements, query: SearchQuery): SearchPage {
  const facets = query.withFacets ? readFacets(statements, query.ownerId) : null;
  const words = query.text === null ? null : searchWords(query.text, query.seesPrompts);
  const parameters: Parameters = {
    target: query.target,
    group: query.group,
    owner: query.ownerId,
    initiator: query.initiator,
    configuration: query.configuration,
    tool: query.tool,
    since: query.sinceMs,
    status: query.status,
    match: words?.match ?? null,
    near: words?.near ?? null,
    words: words?.words ?? null,
  };
  // Something was typed, and no word is in it.
  if (query.text !== null && !words) return { ...EMPTY_PAGE, facets };
  const wanted = CONDITION_NAMES.filter((name) => parameters[name] !== null);
  const walked = rarest(statements, wanted, parameters);
  const asked = wanted.filter((name) => name !== walked);
  const length = Math.max(query.limit + 1, COUNT_CAP);
  const walk = (list: Walked): number[] =>
    statements
      .get(pageSql(list, asked, query.status !== null))
      .pluck()
      .all({
        ...given(parameters),
        sees_prompts: query.seesPrompts ? 1 : 0,
        before: query.beforeKey ?? NEWEST_KEY,
        limit: length,
      }) as number[];
  // A long word that many runs have fills a page from those with its beginning; only of a rarer one all lists are merged.
  const near = walked === 'match' && words?.near ? walk('near') : [];
  const keys = near.length === length ? near : walk(walked);
  const shown = keys.slice(0, query.limit);
  const readOne = statements.get(RUN_OF_KEY);
  return {
    runs: shown.map((key) => readRun(readOne.get(key) as RunRow)),
    count: Math.min(keys.length, COUNT_CAP),
    nextKey: keys.length > shown.length ? (shown.at(-1) ?? null) : null,
    facets,
  };
}

const given = (parameters: Parameters): Partial<Parameters> =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));

/** Which list to walk. Words come last: their list is the dearest to begin, and never sorted. */
function rarest(statements: Statements, wanted: ConditionName[], parameters: Parameters): Exclude<Walked, 'near'> {
  let best: { name: ConditionName; length: number } | null = null;
  for (const name of wanted) {
    if (name === 'match') continue;
    const length = statements.get(rareSql(name)).pluck().get(given(parameters)) as number;
    if (length < (best?.length ?? RARE)) best = { name, length };
  }
  if (best) return best.name;
  if (wanted.includes('match')) return 'match';
  return wanted.find((name) => name !== 'since') ?? 'all';
}

/** Values of one facet that are offered, and runs of a person that are looked at for them. */
const MAX_VALUES = 50;
const OWN_RUNS = 2_000;

/** The values of a column and how often each stands there; jumps from one value to the next instead of walking all rows. */
const allValues = (table: string, column: string, where: string): string => `
  with recursive jumps (value) as (
    select min(${column}) from ${table} where ${where}
    union all
    select (select min(${column}) from ${table} where ${where} and ${column} > jumps.value) from jumps
      where jumps.value is not null limit ${MAX_VALUES + 1}
  )
  select value, (
    select count(*) from (select 1 from ${table} where ${where} and ${column} = jumps.value limit ${COUNT_CAP})
  ) as count from jumps where value is not null limit ${MAX_VALUES}`;

/** The same of a person's newest runs. */
const ownValues = (value: string, more = ''): string => `
  select ${value} as value, min(count(*), ${COUNT_CAP}) as count
  from (select * from run_index where initiator_id = :owner order by key desc limit ${OWN_RUNS})${more}
  group by 1 order by 1 limit ${MAX_VALUES}`;

export const FACETS: Record<keyof SearchFacets, { all: string; own: string }> = {
  groups: { all: allValues('run_index', 'status_group', 'true'), own: ownValues('status_group') },
  tools: { all: allValues('run_names', 'name', `kind = 'tool'`), own: ownValues('value', ', json_each(tools)') },
  configurations: { all: allValues('run_index', 'configuration', 'true'), own: ownValues('configuration') },
  initiators: { all: allValues('run_index', 'initiator', 'true'), own: ownValues('initiator') },
};

function readFacets(statements: Statements, ownerId: number | null): SearchFacets {
  const read = ({ all, own }: { all: string; own: string }): FacetValue[] =>
    (ownerId === null ? statements.get(all).all() : statements.get(own).all({ owner: ownerId })) as FacetValue[];
  return {
    groups: read(FACETS.groups),
    tools: read(FACETS.tools),
    configurations: read(FACETS.configurations),
    initiators: read(FACETS.initiators),
  };
}

import { type Checked, fail, passed, refuse } from '../checked.ts';
import { type SqlToken, tokenizeSql } from './sql-tokens.ts';

const MAX_SQL_LENGTH = 20_000;

/**
 * Functions a query may call. An allow list over everything this SQLite knows: a
 * function a newer library brings is refused until someone decided about it. Left
 * out are those that load code (`load_extension`), reach into the library
 * (`fts3_tokenizer`, `sqlite_log`, …), need a full-text table's insides, or make
 * memory out of nothing (`zeroblob`, `randomblob`, and `printf` by its widths).
 */
const ALLOWED_FUNCTIONS = new Set(
  `-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos
  cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value
  floor glob group_concat hex highlight if ifnull iif instr json json_array json_array_insert
  json_array_length json_error_position json_extract json_group_array json_group_object json_insert json_object
  json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array
  jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
  jsonb_remove jsonb_replace jsonb_set julianday lag last_value lead length like likelihood likely ln log log10 log2
  lower ltrim match max median min mod nth_value ntile nullif octet_length percent_rank percentile percentile_cont
  percentile_disc pi pow power quote radians random rank replace round row_number rtrim sign sin sinh snippet
  soundex sqlite_version sqrt strftime string_agg substr substring subtype sum tan tanh time timediff total
  total_changes trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper`.split(/\s+/),
);

/** Table-valued modules a query may call like functions. */
const ALLOWED_MODULES = new Set(['json_each', 'json_tree', 'jsonb_each', 'jsonb_tree', 'generate_series']);

/** Virtual tables that show the library's or the file's insides. */
const INNER_TABLES =
  /^(pragma_.*|dbstat|sqlite_dbpage|sqlite_stmt|bytecode|tables_used|fts4aux|fts5vocab|fts3tokenize|sqlite_memstat)$/i;

/** What the guard must know about the connection: names of its functions and modules, lower case. */
export interface SqlNames {
  functions: ReadonlySet<string>;
  modules: ReadonlySet<string>;
}

/**
 * Decides whether SQL may run as a query: one statement that starts with SELECT,
 * WITH or VALUES, no placeholders, only known functions, no tables that show the
 * library's insides. The caller still asks SQLite whether the prepared statement
 * reads only, and opens the file read-only; this guard is the first of three locks
 * and the one that gives a sentence.
 */
export function guardQuery(sql: string, names: SqlNames): Checked<void> {
  if (sql.length > MAX_SQL_LENGTH) return fail(`The query is longer than ${MAX_SQL_LENGTH} characters.`);
  // SQLite stops reading at NUL; what follows would be unseen.
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(sql)) return refuse('The query contains control characters.');
  const tokens = tokenizeSql(sql);
  while (tokens.at(-1)?.text === ';' && tokens.at(-1)?.kind === 'symbol') tokens.pop();
  if (tokens.length === 0) return fail('The query is empty.');
  const first = tokens[0];
  if (first?.kind !== 'word' || !/^(select|with|values)$/i.test(first.text)) {
    return refuse('Only one SELECT (also with WITH or VALUES) can be run here. Use the write tools for changes.');
  }
  for (const [index, token] of tokens.entries()) {
    const problem = checkToken(token, tokens[index + 1], names);
    if (problem) return refuse(problem);
  }
  return passed(undefined);
}

function checkToken(token: SqlToken, next: SqlToken | undefined, names: SqlNames): string | null {
  if (token.kind === 'symbol') {
    return token.text === ';' ? 'Send one statement at a time, without a semicolon in between.' : null;
  }
  if (token.kind === 'variable') return 'Placeholders are not supported; write the values into the query.';
  // SQLite takes a string for a table name where one is expected, so strings count.
  if (token.kind !== 'number' && token.kind !== 'blob' && INNER_TABLES.test(token.text)) {
    return `"${token.text}" cannot be used in a query. describe_records shows tables, columns, keys and triggers.`;
  }
  const isCalled = next?.kind === 'symbol' && next.text === '(';
  if (!isCalled || (token.kind !== 'word' && token.kind !== 'name')) return null;
  const name = token.text.toLowerCase();
  const isUnknown = names.functions.has(name) && !ALLOWED_FUNCTIONS.has(name);
  const isModule = names.modules.has(name) && !ALLOWED_MODULES.has(name) && !ALLOWED_FUNCTIONS.has(name);
  return isUnknown || isModule ? `The function ${name}() cannot be used in a query.` : null;
}

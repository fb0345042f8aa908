/*
 * The template language of scenarios, as small as it can be: text with
 * references in double braces, and filters behind a bar.
 *
 *   {{ prompt }}                                  the text of the first user message
 *   {{ prompt.match('page (\\d+)') | number }}    first group of a pattern (case-insensitive), else the whole match
 *   {{ results.get_record.record.title }}         newest result of a tool, read as JSON, then a path into it
 *   {{ results[2].content }}                      third result of the run, its text as it stands
 *   {{ results.get_record.record['odd key'][0] }} keys in quotes, positions from 0
 *   {{ values.page }}                             a value the scenario names once, filled in where it is used
 *
 * `content`, `isError`, `tool` and `json` right after a result mean the result
 * itself (`json` = all of it, parsed); every other name is a key of its JSON.
 * Filters, left to right: `default: 'text'` for missing, null or empty;
 * `truncate: 155` characters, the ellipsis included; `plain` without tags, on one
 * line; `number`; `json`.
 */

/** One step from a value to a part of it. */
export type Step = { kind: 'key'; key: string | number } | { kind: 'match'; pattern: RegExp };

export type Filter =
  | { name: 'default'; fallback: string | number | boolean | null }
  | { name: 'truncate'; length: number }
  | { name: 'plain' | 'number' | 'json' };

/** One `{{ … }}`. `source` is its text, for sentences. */
export interface Reference {
  source: string;
  root: 'prompt' | 'results' | 'values';
  steps: Step[];
  filters: Filter[];
}

export type Template = (string | Reference)[];

/** A template that cannot be read. The message says what is wrong and where. */
export class TemplateError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'TemplateError';
  }
}

/**
 * Splits a text into its plain parts and its references.
 * Faults: `TemplateError`.
 */
export function parseTemplate(text: string): Template {
  const parts: Template = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    if (open > at) parts.push(text.slice(at, open));
    const reader = createReader(text, open + 2);
    parts.push(readReference(reader, open));
    at = reader.position();
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

type Reader = ReturnType<typeof createReader>;

/** A place in a text that moves on by patterns. */
function createReader(text: string, start: number) {
  let at = start;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match) at = sticky.lastIndex;
    return match;
  };
  const fail = (expected: string): TemplateError =>
    new TemplateError(`expected ${expected} at "${text.slice(at, at + 20)}" in ${text.slice(start - 2, start + 60)}`);
  return {
    take,
    fail,
    expect: (pattern: RegExp, expected: string): RegExpExecArray => {
      const match = take(pattern);
      if (!match) throw fail(expected);
      return match;
    },
    position: () => at,
    textFrom: (from: number) => text.slice(from, at),
  };
}

function readReference(reader: Reader, open: number): Reference {
  const root = reader.expect(/\s*(prompt|results|values)\b/, 'prompt, results or values')[1] as Reference['root'];
  const steps: Step[] = [];
  for (let step = readStep(reader); step; step = readStep(reader)) steps.push(step);
  const first = steps[0];
  if (root !== 'prompt' && first?.kind !== 'key') throw reader.fail(`a name after ${root}`);
  const filters: Filter[] = [];
  while (reader.take(/\s*\|\s*/)) filters.push(readFilter(reader));
  reader.expect(/\s*\}\}/, '}}');
  return { source: reader.textFrom(open), root, steps, filters };
}

function readStep(reader: Reader): Step | null {
  if (reader.take(/\.match\(\s*/)) {
    const pattern = toPattern(readQuoted(reader));
    reader.expect(/\s*\)/, ')');
    return { kind: 'match', pattern };
  }
  const name = reader.take(/\.([A-Za-z_][\w-]*)/)?.[1];
  if (name !== undefined) return { kind: 'key', key: name };
  if (!reader.take(/\[\s*/)) return null;
  const position = reader.take(/\d+/)?.[0];
  const key = position === undefined ? readQuoted(reader) : Number(position);
  reader.expect(/\s*\]/, ']');
  return { kind: 'key', key };
}

function readFilter(reader: Reader): Filter {
  const name = reader.expect(/[a-z]+/, 'a filter')[0];
  switch (name) {
    case 'plain':
    case 'number':
    case 'json':
      return { name };
    case 'truncate':
      return { name, length: Number(reader.expect(/\s*:\s*(\d+)/, 'a number of characters')[1]) };
    case 'default':
      reader.expect(/\s*:\s*/, 'a colon and a value');
      return { name, fallback: readLiteral(reader) };
    default:
      throw new TemplateError(`there is no filter "${name}"; use default, truncate, plain, number or json`);
  }
}

function readLiteral(reader: Reader): string | number | boolean | null {
  const word = reader.take(/-?\d+(\.\d+)?|true\b|false\b|null\b/)?.[0];
  return word === undefined ? readQuoted(reader) : (JSON.parse(word) as number | boolean | null);
}

/** A text in single quotes; a backslash makes a quote or itself plain, `\n` a line break, and stays before anything else (patterns). */
function readQuoted(reader: Reader): string {
  const inside = reader.expect(/'((?:[^'\\]|\\.)*)'/, 'a text in single quotes')[1] ?? '';
  return inside.replaceAll(/\\(['\\n])/g, (_whole, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

function toPattern(source: string): RegExp {
  try {
    return new RegExp(source, 'iu');
  } catch (error) {
    throw new TemplateError(
      `the pattern '${source}' cannot be read: ${error instanceof Error ? error.message : 'unknown'}`,
    );
  }
}

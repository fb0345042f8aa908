/** One token of SQL. `name` = a quoted identifier, without its quotes; `word` = a bare one; comments and white space are left out. */
export interface SqlToken {
  kind: 'word' | 'name' | 'string' | 'blob' | 'number' | 'variable' | 'symbol';
  text: string;
}

const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<blob>[xX]'[0-9a-fA-F]*')`,
    String.raw`(?<string>'(?:[^']|'')*(?:'|$))`,
    String.raw`(?<name>"(?:[^"]|"")*(?:"|$)|\u0060(?:[^\u0060]|\u0060\u0060)*(?:\u0060|$)|\[[^\]]*(?:\]|$))`,
    String.raw`(?<number>\d[\w.]*|\.\d[\w.]*)`,
    String.raw`(?<variable>\?\d*|[:@$#][\w$]+)`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<symbol>[\s\S])`,
  ].join('|'),
  'gy',
);

/**
 * Splits SQL into tokens the way SQLite reads it: strings, three kinds of quoted
 * names, comments that end with the text. Decides nothing; whoever asks whether a
 * text is harmless must not be fooled by what stands in a comment or a string.
 */
export function tokenizeSql(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const match of sql.matchAll(PATTERN)) {
    const groups = match.groups ?? {};
    const kind = Object.keys(groups).find((each) => groups[each] !== undefined);
    if (!kind || kind === 'space') continue;
    tokens.push({ kind: kind as SqlToken['kind'], text: unquote(kind, match[0]) });
  }
  return tokens;
}

function unquote(kind: string, text: string): string {
  if (kind !== 'string' && kind !== 'name') return text;
  const quote = text[0] === '[' ? ']' : (text[0] ?? '');
  const inner = text.endsWith(quote) && text.length > 1 ? text.slice(1, -1) : text.slice(1);
  return quote === ']' ? inner : inner.replaceAll(quote + quote, quote);
}

/** Writes a name so that SQLite takes it as a name, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

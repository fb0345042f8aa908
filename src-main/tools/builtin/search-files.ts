import { Type } from 'typebox';
import type { ToolContext, ToolResult } from '../../domain/tool.ts';
import { fail, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardPath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import { readState } from './file-state.ts';
import { readText } from './file-text.ts';
import { walkFolder } from './file-walk.ts';

const MAX_FILES = 5_000;
const MAX_MATCHES = 200;
/** Larger files are named as skipped, in bytes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Most characters shown of one line, around the match. */
const MAX_LINE_LENGTH = 300;

interface Arguments {
  workspace: string;
  query: string;
  path?: string;
  name_pattern?: string;
  ignore_case?: boolean;
}

function search(args: Arguments, context: ToolContext): ToolResult {
  const guarded = guardPath(context, args.workspace, args.path ?? '.');
  if (!guarded.ok) return resultOf(guarded);
  if (!guarded.value.stats?.isDirectory()) return resultOf(fail(`There is no folder "${args.path}".`));
  const pattern = args.name_pattern;
  const walk = walkFolder(
    guarded.value,
    true,
    (entry) => entry.kind === 'file' && (!pattern || matchesName(entry.path.split('/').at(-1) ?? '', pattern)),
    MAX_FILES,
  );
  const lines: string[] = [];
  let skipped = 0;
  let isCut = !walk.isComplete;
  for (const entry of walk.entries) {
    if (lines.length > MAX_MATCHES) break;
    const text = (entry.sizeBytes ?? 0) > MAX_FILE_BYTES ? null : readEntry(context, args.workspace, entry.path);
    if (text === null) skipped += 1;
    else for (const match of findLines(text, args)) lines.push(JSON.stringify({ path: entry.path, ...match }));
  }
  if (lines.length > MAX_MATCHES) isCut = true;
  const shown = lines.slice(0, MAX_MATCHES);
  if (shown.length === 0) shown.push('[no match]');
  if (isCut) shown.push('[more matches may exist; search in a folder or with name_pattern]');
  if (skipped > 0) shown.push(`[${skipped} files were not searched: not text, or larger than 2 MB]`);
  return { outcome: 'ok', content: shown.join('\n'), write: null };
}

function readEntry(context: ToolContext, workspace: string, path: string): string | null {
  const guarded = guardPath(context, workspace, path);
  if (!guarded.ok) return null;
  const state = readState(guarded.value);
  if (!state.ok || state.value.kind === 'absent' || !state.value.bytes) return null;
  return readText(state.value.bytes)?.text ?? null;
}

function findLines(text: string, args: Arguments): { line: number; text: string }[] {
  const fold = (value: string): string => (args.ignore_case ? value.toLowerCase() : value);
  const wanted = fold(args.query);
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const at = fold(line).indexOf(wanted);
    if (at === -1) continue;
    const start = Math.max(0, at - 100);
    found.push({ line: index + 1, text: line.slice(start, start + MAX_LINE_LENGTH).toWellFormed() });
    if (found.length > MAX_MATCHES) break;
  }
  return found;
}

/** Whether a file name matches a pattern of `*` (anything) and `?` (one character). Never backtracks more than once per `*`. */
export function matchesName(name: string, pattern: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    if (pattern[position] === '*') {
      star = position;
      retry = at;
      position += 1;
    } else if (position < pattern.length && (pattern[position] === '?' || pattern[position] === name[at])) {
      position += 1;
      at += 1;
    } else if (star !== -1) {
      position = star + 1;
      retry += 1;
      at = retry;
    } else {
      return false;
    }
  }
  while (pattern[position] === '*') position += 1;
  return position === pattern.length;
}

/** Finds a piece of text in the files of a workspace. */
export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Find a piece of text in the files of a workspace. The text is taken literally; there are no regular expressions. One JSON object per matching line: path, line, text.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      query: Type.String({ minLength: 1, maxLength: 500, description: 'The text to find, within one line.' }),
      path: Type.Optional(pathArgument('Folder to search in; left out = the whole workspace.')),
      name_pattern: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only files with such a name, e.g. "*.html".' }),
      ),
      ignore_case: Type.Optional(Type.Boolean({ description: 'Default false.' })),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'files',
  execute: search,
});

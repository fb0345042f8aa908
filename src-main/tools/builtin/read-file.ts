import { Type } from 'typebox';
import type { ToolContext, ToolResult } from '../../domain/tool.ts';
import { fail, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardPath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import { readState } from './file-state.ts';
import { readText } from './file-text.ts';

/** Most bytes of text in one answer; leaves room for the header below the bound of a result. */
const MAX_TEXT_BYTES = 48_000;

interface Arguments {
  workspace: string;
  path: string;
  offset_line?: number;
  limit_lines?: number;
}

function read(args: Arguments, context: ToolContext): ToolResult {
  const guarded = guardPath(context, args.workspace, args.path);
  if (!guarded.ok) return resultOf(guarded);
  const state = readState(guarded.value);
  if (!state.ok) return resultOf(state);
  const file = state.value;
  if (file.kind === 'absent') return resultOf(fail(`There is no file "${args.path}". list_files shows what there is.`));
  const text = file.bytes ? readText(file.bytes) : null;
  if (!text) {
    const why = file.bytes ? 'not UTF-8 text' : 'larger than 10 MB';
    const content = `[${file.sizeBytes} bytes, ${why}; it cannot be shown. SHA-256 ${file.sha256}]`;
    return { outcome: 'ok', content, write: null };
  }
  const visible = text.hasByteOrderMark ? text.text.slice(1) : text.text;
  const facts = `${file.sizeBytes} bytes, line ends ${text.lineEnds}${text.hasByteOrderMark ? ', byte-order mark' : ''}`;
  return { outcome: 'ok', content: excerpt(visible, facts, args), write: null };
}

/** The lines asked for, below a header that says which ones these are and whether more follow. */
function excerpt(text: string, facts: string, args: Arguments): string {
  const lines = text.split(/(?<=\n)/);
  const first = args.offset_line ?? 1;
  const wanted = lines.slice(first - 1, first - 1 + (args.limit_lines ?? lines.length));
  const shown: string[] = [];
  let bytes = 0;
  for (const line of wanted) {
    bytes += Buffer.byteLength(line);
    // The first line is given in any case; a single endless line is cut by the general bound.
    if (bytes > MAX_TEXT_BYTES && shown.length > 0) break;
    shown.push(line);
  }
  const last = first - 1 + shown.length;
  const range = shown.length === 0 ? 'no lines in this range' : `lines ${first} to ${last}`;
  const more = last < lines.length && shown.length > 0 ? `; more follow, continue with offset_line ${last + 1}` : '';
  return `[${lines.length} lines, ${facts}; ${range}${more}]\n${shown.join('')}`;
}

/** Reads a text file, whole or a range of lines. */
export const readFile = defineTool({
  name: 'read_file',
  description:
    'Read a text file of a workspace. The first line of the answer, in brackets, says how many lines there are and which ones follow; everything after it is the exact text.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      path: pathArgument('Path of the file inside the workspace.'),
      offset_line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to show, counted from 1.' })),
      limit_lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many lines to show.' })),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'files',
  execute: read,
});

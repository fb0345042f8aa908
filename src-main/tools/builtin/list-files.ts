import { Type } from 'typebox';
import type { ToolContext, ToolResult } from '../../domain/tool.ts';
import { fail, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardPath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import { walkFolder } from './file-walk.ts';

/** Most entries in one answer. */
const MAX_ENTRIES = 1_000;

function list(args: { workspace: string; path?: string; recursive?: boolean }, context: ToolContext): ToolResult {
  const guarded = guardPath(context, args.workspace, args.path ?? '.');
  if (!guarded.ok) return resultOf(guarded);
  if (!guarded.value.stats) return resultOf(fail(`There is no folder "${args.path}".`));
  if (!guarded.value.stats.isDirectory()) return resultOf(fail(`"${args.path}" is a file; use read_file.`));
  const walk = walkFolder(guarded.value, args.recursive ?? false, () => true, MAX_ENTRIES);
  // JSON keeps control and direction characters in names visible and harmless.
  const lines = walk.entries.map((entry) => JSON.stringify(entry));
  if (!walk.isComplete) lines.push(`[more entries exist; list a folder further down]`);
  return { outcome: 'ok', content: lines.join('\n') || '[the folder is empty]', write: null };
}

/** Lists the files and folders of a workspace. */
export const listFiles = defineTool({
  name: 'list_files',
  description:
    'List files and folders of a workspace, one JSON object per line: path, kind (file, folder, link, other) and sizeBytes. Links are never followed.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      path: Type.Optional(pathArgument('Folder inside the workspace; left out = the workspace itself.')),
      recursive: Type.Optional(Type.Boolean({ description: 'Also list what is in folders below. Default false.' })),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'files',
  execute: list,
});

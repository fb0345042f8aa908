import { Type } from 'typebox';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import { fail } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardWritePath } from '../path-guard.ts';
import { FileText, WorkspaceName, pathArgument } from './file-arguments.ts';
import {
  type FilePlan,
  contentFootprint,
  executePlan,
  isUnchangedOnDisk,
  previewContent,
  refusedPlan,
} from './file-plan.ts';
import { replaceFile } from './file-replace.ts';
import { type FileState, fileFootprint, fileOf, isSameState, simulate, stateAt } from './file-state.ts';

/** Permission bits of a file that did not exist: readable by everyone, writable by its owner. */
const NEW_FILE_MODE = 0o644;

interface Arguments {
  workspace: string;
  path: string;
  content: string;
}

function planWrite(args: Arguments, context: ToolContext, overlay: Overlay): FilePlan {
  const guarded = guardWritePath(context, args.workspace, args.path);
  if (!guarded.ok) return refusedPlan(guarded);
  const state = stateAt(guarded.value, overlay);
  if (!state.ok) return refusedPlan(state, guarded.value);
  if (!args.content.isWellFormed())
    return refusedPlan(fail('The content holds half of a surrogate pair.'), guarded.value);
  return planContent(guarded.value, state.value, Buffer.from(args.content, 'utf8'), overlay);
}

/** Plans the replacement of a whole file by `bytes`; shared with the edit tool. */
export function planContent(
  path: Parameters<typeof previewContent>[0],
  before: FileState,
  bytes: Buffer,
  overlay: Overlay,
): FilePlan {
  const mode = before.kind === 'file' ? before.mode : NEW_FILE_MODE;
  const after = fileOf(bytes, mode);
  if (isSameState(before, after)) {
    const reason = `Nothing would change: "${path.relative}" already has exactly this content.`;
    return refusedPlan(fail(reason), path, fileFootprint([{ path, state: before }]));
  }
  simulate(path, after, overlay);
  const isNew = before.kind === 'absent';
  return {
    planned: {
      preview: previewContent(path, before, after),
      target: { kind: 'file', workspace: path.workspace, path: path.relative },
      footprint: contentFootprint(path, before, after),
    },
    kind: isNew ? 'created' : 'updated',
    done: `${isNew ? 'Created' : 'Replaced'} ${path.relative} (${bytes.length} bytes).`,
    apply: () => replaceFile(path, bytes, mode, isNew, () => isUnchangedOnDisk(path, before)),
  };
}

/** Creates a file or replaces its whole content. */
export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Create a text file or replace its whole content (UTF-8). Missing folders are created. A person sees the difference first. To change a part of a file use edit_file.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      path: pathArgument('Path inside the workspace, e.g. "css/site.css".'),
      content: FileText,
    },
    { additionalProperties: false },
  ),
  effect: 'idempotent_write',
  group: 'files',
  plan: (args, context, overlay) => planWrite(args, context, overlay).planned,
  execute: (args, context, expected) => executePlan(planWrite(args, context, new Map()), expected),
});

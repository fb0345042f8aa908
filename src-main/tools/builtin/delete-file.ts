import { Type } from 'typebox';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import { fail } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardWritePath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import {
  type FilePlan,
  contentFootprint,
  executePlan,
  fileTarget,
  isUnchangedOnDisk,
  previewContent,
  refusedPlan,
} from './file-plan.ts';
import { removeFile } from './file-replace.ts';
import { type FileState, simulate, stateAt } from './file-state.ts';

const ABSENT: FileState = { kind: 'absent' };

function planDelete(args: { workspace: string; path: string }, context: ToolContext, overlay: Overlay): FilePlan {
  const guarded = guardWritePath(context, args.workspace, args.path);
  if (!guarded.ok) return refusedPlan(guarded);
  const path = guarded.value;
  const state = stateAt(path, overlay);
  if (!state.ok) return refusedPlan(state, path);
  const before = state.value;
  if (before.kind === 'absent') {
    const plan = refusedPlan(fail(`There is no file "${path.relative}", so there is nothing to delete.`), path);
    return { ...plan, planned: { ...plan.planned, footprint: contentFootprint(path, ABSENT, ABSENT) } };
  }
  simulate(path, ABSENT, overlay);
  return {
    planned: {
      preview: previewContent(path, before, ABSENT),
      target: fileTarget(path),
      footprint: contentFootprint(path, before, ABSENT),
    },
    kind: 'deleted',
    done: `Deleted ${path.relative}. SHA-256 of its content was ${before.sha256}.`,
    apply: () => removeFile(path, () => isUnchangedOnDisk(path, before)),
  };
}

/** Deletes one file. */
export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete one file. Folders cannot be deleted. A person sees the content that goes first.',
  parameters: Type.Object(
    { workspace: WorkspaceName, path: pathArgument('Path of an existing file inside the workspace.') },
    { additionalProperties: false },
  ),
  effect: 'idempotent_write',
  group: 'files',
  plan: (args, context, overlay) => planDelete(args, context, overlay).planned,
  execute: (args, context, expected) => executePlan(planDelete(args, context, new Map()), expected),
});

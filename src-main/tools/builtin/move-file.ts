import { Type } from 'typebox';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import { fail } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { type GuardedPath, guardWritePath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import {
  type FilePlan,
  describeMode,
  executePlan,
  fileTarget,
  isUnchangedOnDisk,
  refusedPlan,
  sizeOf,
} from './file-plan.ts';
import { moveFile as moveGuardedFile } from './file-replace.ts';
import { type FileContent, type FileState, fileFootprint, simulate, stateAt } from './file-state.ts';

const ABSENT: FileState = { kind: 'absent' };

interface Arguments {
  workspace: string;
  from: string;
  to: string;
}

function planMove(args: Arguments, context: ToolContext, overlay: Overlay): FilePlan {
  const from = guardWritePath(context, args.workspace, args.from);
  if (!from.ok) return refusedPlan(from);
  const to = guardWritePath(context, args.workspace, args.to);
  if (!to.ok) return refusedPlan(to, from.value);
  const source = stateAt(from.value, overlay);
  if (!source.ok) return refusedPlan(source, from.value);
  const destination = stateAt(to.value, overlay);
  if (!destination.ok) return refusedPlan(destination, from.value);
  const before = moveFootprint(from.value, source.value, to.value, destination.value);
  if (source.value.kind === 'absent') {
    return refusedPlan(fail(`There is no file "${from.value.relative}" to move.`), from.value, before);
  }
  if (destination.value.kind === 'file') {
    const reason = `There is already a file "${to.value.relative}". Choose another name, or delete that file first.`;
    return refusedPlan(fail(reason), from.value, before);
  }
  simulate(from.value, ABSENT, overlay);
  simulate(to.value, source.value, overlay);
  return planChecked(from.value, to.value, source.value, before);
}

function planChecked(from: GuardedPath, to: GuardedPath, content: FileContent, before: string): FilePlan {
  return {
    planned: {
      preview: {
        kind: 'file',
        action: 'move',
        target: fileTarget(from),
        diff: '',
        sizeBytesBefore: sizeOf(content),
        sizeBytesAfter: sizeOf(content),
        notes: [`New path: ${to.relative}`, `SHA-256 of the content: ${content.sha256}.`, ...describeMode(content)],
      },
      target: fileTarget(from),
      footprint: { before, after: moveFootprint(from, ABSENT, to, content) },
    },
    kind: 'updated',
    done: `Moved ${from.relative} to ${to.relative}.`,
    apply: () => moveGuardedFile(from, to, () => isUnchangedOnDisk(from, content) && isUnchangedOnDisk(to, ABSENT)),
  };
}

function moveFootprint(from: GuardedPath, source: FileState, to: GuardedPath, destination: FileState): string {
  return fileFootprint([
    { path: from, state: source },
    { path: to, state: destination },
  ]);
}

/** Moves or renames one file inside its workspace; never overwrites. */
export const moveFile = defineTool({
  name: 'move_file',
  description:
    'Move or rename one file inside its workspace. Never overwrites an existing file. Missing folders are created.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      from: pathArgument('Present path of the file.'),
      to: pathArgument('New path of the file; nothing may be there yet.'),
    },
    { additionalProperties: false },
  ),
  effect: 'idempotent_write',
  group: 'files',
  plan: (args, context, overlay) => planMove(args, context, overlay).planned,
  execute: (args, context, expected) => executePlan(planMove(args, context, new Map()), expected),
});

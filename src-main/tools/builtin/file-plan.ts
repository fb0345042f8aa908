import type { Footprint, Preview } from '../../../src-shared/preview.ts';
import type { WriteTarget } from '../../../src-shared/write-target.ts';
import type { WriteKind } from '../../../src-shared/vocabulary.ts';
import { sameDigest } from '../../domain/digest.ts';
import type { PlannedCall, ToolResult } from '../../domain/tool.ts';
import { type Checked, type ToolRefusal, resultOf, unseen } from '../checked.ts';
import type { GuardedPath } from '../path-guard.ts';
import { type FileState, fileFootprint, isSameState, readState } from './file-state.ts';
import { describeTextChange, diffTexts, readText } from './file-text.ts';
import type { WriteEnd } from './file-replace.ts';

/** A planned write of a file: what the person sees, and how it is done. `apply` is null when the plan says no. */
export interface FilePlan {
  planned: PlannedCall;
  kind: WriteKind;
  /** One sentence for the model after success. */
  done: string;
  apply: (() => Checked<WriteEnd>) | null;
}

/** The target a guarded path stands for. */
export function fileTarget(path: GuardedPath): WriteTarget {
  return { kind: 'file', workspace: path.workspace, path: path.relative };
}

/**
 * A plan that says no, with the reason as its preview. Where the present state is
 * known the footprint still carries its digest: recovery recognises an applied edit,
 * move or deletion by it, although the same call could not be planned again.
 */
export function refusedPlan(refusal: ToolRefusal, path?: GuardedPath, before?: string): FilePlan {
  const footprint: Footprint | null = before === undefined ? null : { before, after: null };
  const preview: Preview = { kind: 'failed', reason: refusal.reason };
  return {
    planned: { preview, target: path ? fileTarget(path) : null, footprint },
    kind: 'updated',
    done: '',
    apply: null,
  };
}

/** The preview of a file whose content changes from one state to another. */
export function previewContent(path: GuardedPath, before: FileState, after: FileState, extra: string[] = []): Preview {
  const action = before.kind === 'absent' ? 'create' : after.kind === 'absent' ? 'delete' : 'update';
  const { diff, notes } = compareContent(before, after);
  return {
    kind: 'file',
    action,
    target: fileTarget(path),
    diff,
    sizeBytesBefore: sizeOf(before),
    sizeBytesAfter: sizeOf(after),
    notes: [...notes, ...describeMode(before), ...extra],
  };
}

/** Size in bytes; null = nothing is there. */
export function sizeOf(state: FileState): number | null {
  return state.kind === 'absent' ? null : state.sizeBytes;
}

/** Sentences about permission bits a person should know. */
export function describeMode(state: FileState): string[] {
  if (state.kind === 'absent' || (state.mode & 0o111) === 0) return [];
  return [`The file is executable (mode ${state.mode.toString(8).padStart(4, '0')}).`];
}

function compareContent(before: FileState, after: FileState): { diff: string; notes: string[] } {
  const old = before.kind === 'file' ? before : null;
  const proposed = after.kind === 'file' ? after : null;
  const oldText = old?.bytes ? readText(old.bytes) : null;
  const newText = proposed?.bytes ? readText(proposed.bytes) : null;
  const isBinary = (old !== null && oldText === null) || (proposed !== null && newText === null);
  if (isBinary) {
    const digests = [
      ...(old ? [`SHA-256 now: ${old.sha256}.`] : []),
      ...(proposed ? [`SHA-256 after: ${proposed.sha256}.`] : []),
    ];
    return { diff: '', notes: ['The content is not text or too large to be shown.', ...digests] };
  }
  const { diff, isReplacedEntirely } = diffTexts(oldText?.text ?? '', newText?.text ?? '');
  const notes = newText ? describeTextChange(oldText, newText) : [];
  if (isReplacedEntirely)
    notes.push('The texts differ too much to be compared line by line: shown as replaced entirely.');
  return { diff, notes };
}

/** The footprint of a write that changes one file. */
export function contentFootprint(path: GuardedPath, before: FileState, after: FileState): Footprint {
  return {
    before: fileFootprint([{ path, state: before }]),
    after: fileFootprint([{ path, state: after }]),
  };
}

/** Asked right before the rename: is the file on disk what the plan was made on? */
export function isUnchangedOnDisk(path: GuardedPath, state: FileState): boolean {
  const now = readState(path);
  return now.ok && isSameState(now.value, state);
}

/**
 * Executes a planned write if the state the person approved still holds. Without an
 * approved footprint nothing is written.
 */
export function executePlan(plan: FilePlan, expected: Footprint | null): ToolResult {
  if (expected === null) return unseen(null);
  const { footprint, target, preview } = plan.planned;
  if (footprint === null || target === null) {
    return no('failed', preview.kind === 'failed' ? preview.reason : 'The change could not be planned.');
  }
  if (!sameDigest(footprint.before, expected.before)) return changed();
  if (plan.apply === null) return no('failed', preview.kind === 'failed' ? preview.reason : 'Nothing was written.');
  if (!sameDigest(footprint.after, expected.after)) return changed();
  const end = plan.apply();
  if (!end.ok) return resultOf(end);
  if (end.value === 'changed') return changed();
  return { outcome: 'ok', content: plan.done, write: { target, kind: plan.kind, completeness: 'complete' } };
}

function changed(): ToolResult {
  return no('changed', 'The file changed after the preview was made. Nothing was written. Read it again first.');
}

function no(outcome: ToolResult['outcome'], content: string): ToolResult {
  return { outcome, content, write: null };
}

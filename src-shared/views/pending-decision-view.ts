import type { Preview } from '../preview.ts';
import type { ToolEffect } from '../vocabulary.ts';
import type { WriteTarget } from '../write-target.ts';

/** One call of the turn that waits for a person. */
export interface PendingCallView {
  id: string;
  toolName: string;
  effect: ToolEffect;
  /** Plain JSON, never to be rendered as anything but text. */
  arguments: Record<string, unknown>;
  /** Null for a call that changes nothing or is not offered any more. */
  preview: Preview | null;
  target: WriteTarget | null;
  /** The target changed since the last approval of this turn; nothing was written. */
  isStale: boolean;
}

/**
 * The card: everything a person needs to decide, made from the committed row alone,
 * so a reload, a second window and a restart show the same. `turnDigest` and
 * `previewRevision` are sent back with the decision and bind it to this card.
 * Source: runtime.md D-01; human-decisions.md §15.2.
 */
export interface PendingDecisionView {
  runId: string;
  label: string;
  configuration: string;
  initiatorId: number;
  /** The owner's name; '' = nobody, or a person who is gone. */
  initiatorName: string;
  waitingSinceMs: number;
  rounds: number;
  maxRounds: number;
  inputTokens: number;
  outputTokens: number;
  effect: ToolEffect | '';
  turnDigest: string;
  previewRevision: number;
  /** How often an approval came back because the target had changed. */
  bounceCount: number;
  /** The assistant's last words before the turn. */
  assistantText: string;
  /** Null = the stored turn cannot be read; the run can only be cancelled. */
  calls: PendingCallView[] | null;
}

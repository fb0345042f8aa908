import type { EndReason, RunMode, RunStatus, ToolEffect } from '../vocabulary.ts';

/** One run as lists and `show` present it: the row without anything sealed. Times are epoch milliseconds, 0 = not yet. */
export interface RunView {
  runId: string;
  label: string;
  status: RunStatus;
  mode: RunMode;
  configuration: string;
  initiatorId: number;
  pendingTool: string;
  pendingEffect: ToolEffect | '';
  pendingTarget: string;
  rounds: number;
  maxRounds: number;
  inputTokens: number;
  outputTokens: number;
  /** Null = no provider reported a cost. */
  costMicros: number | null;
  isTruncated: boolean;
  endReason: EndReason | '';
  errorClass: string;
  attempt: number;
  createdAtMs: number;
  waitingSinceMs: number;
  finishedAtMs: number;
}

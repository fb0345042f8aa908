/*
 * What a recorded event says, as facts for a sentence. Every detail may be missing, and
 * texts may come from a model: they are read defensively and shown escaped.
 */
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { standingApprovals } from '../../../src-shared/standing-approvals.ts';

/** A text of the details; '' when it is missing or something else. */
export function textOf(event: Pick<RunEventView, 'details'>, name: string): string {
  const value = event.details[name];
  return typeof value === 'string' ? value : '';
}

export const wasApproved = (event: Pick<RunEventView, 'details'>): boolean => event.details.approved === true;

/** The approvals of which something may be said: those that stood. */
export const markedApprovals = (events: RunEventView[]): Set<RunEventView> =>
  new Set(standingApprovals(events, wasApproved));

/** What became of the newest decision about a run. `null` = none was made yet. */
export type DecisionOutcome =
  | { kind: 'approved'; by: string }
  | { kind: 'written'; by: string; target: string }
  | { kind: 'nothing_written'; by: string }
  | { kind: 'failed'; by: string; tool: string }
  | { kind: 'denied'; by: string }
  | { kind: 'withdrawn' }
  | { kind: 'bounced' }
  | { kind: 'uncertain' };

/**
 * Reads the truth about the newest decision from the events after it, never from
 * which button was pressed.
 * Source: ux.md principle 5.
 */
export function decisionOutcome(events: RunEventView[]): DecisionOutcome | null {
  const index = events.findLastIndex((event) => event.kind === 'approval');
  const decision = events[index];
  if (!decision) return null;
  const by = decision.actorName;
  const later = events.slice(index + 1);
  const has = (kind: RunEventView['kind']): RunEventView | undefined => later.find((event) => event.kind === kind);
  if (has('approval_withdrawn')) return { kind: 'withdrawn' };
  if (!wasApproved(decision)) return { kind: 'denied', by };
  if (has('uncertain_write')) return { kind: 'uncertain' };
  const failed = failedCall(later);
  if (failed) return { kind: 'failed', by, tool: textOf(failed, 'toolName') };
  const written = has('tool_write');
  if (written) return { kind: 'written', by, target: textOf(written, 'target') };
  if (has('approval_bounced')) return { kind: 'bounced' };
  return has('finished') || has('cancelled') ? { kind: 'nothing_written', by } : { kind: 'approved', by };
}

/** An approved call that did not do what was approved; the calls of a turn come before the model is asked again. */
function failedCall(later: RunEventView[]): RunEventView | undefined {
  const end = later.findIndex(({ kind }) => kind === 'llm');
  const ofTurn = end < 0 ? later : later.slice(0, end);
  return ofTurn.find(({ kind, details }) => kind === 'tool' && details.toolIsError === true);
}

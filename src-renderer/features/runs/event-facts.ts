/*
 * What a recorded event says, as facts for a sentence. Payloads are what the run's
 * privacy level kept, so every part may be missing, and texts in them may come from a
 * model: they are read defensively and shown escaped.
 */
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { describeTarget, type WriteTarget } from '../../../src-shared/write-target.ts';

/** A text of the payload; '' when it is missing or something else. */
export function textOf(event: Pick<RunEventView, 'payload'>, name: string): string {
  const value = event.payload[name];
  return typeof value === 'string' ? value : '';
}

/** What a write touched, in one line; '' when the payload does not say. */
export function targetOf(event: Pick<RunEventView, 'payload'>): string {
  const target = event.payload.target;
  if (typeof target !== 'object' || target === null || !('kind' in target)) return '';
  return describeTarget(target as WriteTarget);
}

export const wasApproved = (event: Pick<RunEventView, 'payload'>): boolean => event.payload.approved === true;

/** What became of the newest decision about a run. `null` = none was made yet. */
export type DecisionOutcome =
  | { kind: 'approved'; by: string }
  | { kind: 'written'; by: string; target: string }
  | { kind: 'nothing_written'; by: string }
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
  const written = has('tool_write');
  if (written) return { kind: 'written', by, target: targetOf(written) };
  if (has('approval_bounced')) return { kind: 'bounced' };
  return has('finished') || has('cancelled') ? { kind: 'nothing_written', by } : { kind: 'approved', by };
}

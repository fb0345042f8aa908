import type { EventKind } from './vocabulary.ts';

/**
 * The granted approvals of a run that stood: an approval that came back because its target had changed, or was taken
 * back, released nothing. Events in order; `isGranted` says of an approval that it is no denial.
 * Source: human-decisions.md LIM-15 (H-184).
 */
export function standingApprovals<E extends { kind: EventKind }>(
  events: readonly E[],
  isGranted: (approval: E) => boolean,
): E[] {
  const standing = new Set<E>();
  let last: E | null = null;
  for (const event of events) {
    if (event.kind === 'approval') {
      last = event;
      if (isGranted(event)) standing.add(event);
    } else if (last && (event.kind === 'approval_bounced' || event.kind === 'approval_withdrawn')) {
      standing.delete(last);
    }
  }
  return [...standing];
}

import { Type, type Static } from 'typebox';
import { RUN_STATUSES, TOOL_EFFECTS } from '../vocabulary.ts';
import { WriteTarget } from '../write-target.ts';
import { ListedRunView } from './listed-run-view.ts';

/** A write whose outcome a person must establish by hand. */
export const UncertainWriteView = Type.Object({
  runId: Type.String(),
  callId: Type.String(),
  toolName: Type.String(),
  effect: Type.Enum(TOOL_EFFECTS),
  target: Type.Union([WriteTarget, Type.Null()]),
  cause: Type.Enum(['interrupted', 'footprint_unknown', 'orphaned']),
  noticedAtMs: Type.Integer(),
});
export type UncertainWriteView = Static<typeof UncertainWriteView>;

const counts = Object.fromEntries(RUN_STATUSES.map((status) => [status, Type.Integer()])) as Record<
  (typeof RUN_STATUSES)[number],
  ReturnType<typeof Type.Integer>
>;

/** What needs this person and what happened lately, of the runs they may see. `counts` are exact where lists are cut. */
export const InboxView = Type.Object({
  /** Oldest first. */
  waiting: Type.Array(ListedRunView),
  /** Queued and running, newest first. */
  active: Type.Array(ListedRunView),
  /** Ended, newest first. */
  recent: Type.Array(ListedRunView),
  uncertainWrites: Type.Array(UncertainWriteView),
  counts: Type.Object(counts),
});
export type InboxView = Static<typeof InboxView>;

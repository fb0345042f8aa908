/*
 * Tools: what an agent can do, the process they run in, and the sample site.
 * A tool describes itself, plans (preview, target, footprint; writes nothing) and
 * executes (only while the footprint holds). Nothing in here decides who may call
 * what; that is the runtime's. Nothing outside sees more than the ports in
 * src-main/domain/tool.ts.
 */
import type { Preview } from '../../src-shared/preview.ts';
import type { ToolResult } from '../domain/tool.ts';

/**
 * An expected "no" of a tool, as one plain sentence for the model and the person.
 * `refused` = not allowed, whatever the arguments; `failed` = other arguments or
 * another moment may work.
 */
export interface ToolRefusal {
  ok: false;
  outcome: 'refused' | 'failed';
  reason: string;
}

/** A value, or the sentence that says why there is none. */
export type Checked<T> = { ok: true; value: T } | ToolRefusal;

/** Wraps a value that passed. */
export function passed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** The call is not allowed. `reason` is our own sentence and says what to do instead. */
export function refuse(reason: string): ToolRefusal {
  return { ok: false, outcome: 'refused', reason };
}

/** The call cannot work like this or now. `reason` is our own sentence and says what to do instead. */
export function fail(reason: string): ToolRefusal {
  return { ok: false, outcome: 'failed', reason };
}

/** The result a refusal becomes: nothing was written. */
export function resultOf(refusal: ToolRefusal): ToolResult {
  return { outcome: refusal.outcome, content: refusal.reason, write: null };
}

/**
 * What becomes of a write whose preview had failed when a person approved it: what nobody could see is not written. `now` =
 * its preview at this moment, null where the tool did not look again. The model learns what to put right.
 * Source: docs/decisions/0028-what-a-decision-binds.md (H-175).
 */
export function unseen(now: Preview | null): ToolResult {
  const why =
    now?.kind === 'failed' ? `It still cannot be shown: ${now.reason}` : 'It could be shown now. Propose it again.';
  const no = 'A person approved this change without a preview, and what nobody saw is not written.';
  return { outcome: 'refused', content: now === null ? no : `${no} ${why}`, write: null };
}

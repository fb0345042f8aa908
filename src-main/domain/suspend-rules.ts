import { accepted, type Result } from '../../src-shared/refusals.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';
import { ownershipOf, ownershipRefusal, type Ownership } from './ownership-rules.ts';
import type { EventDraft, PendingTurn, RunRecord } from './run.ts';
import { lifecycleEvent, RELEASED, type Facts, type RunChange } from './run-change.ts';
import { asksForInput, pendingColumns, previewDigest } from './turn-rules.ts';

/** Effects of the turn's tools by name, as the registry declares them. */
export type ToolEffects = Record<string, ToolEffect>;

const effectIn = (effects: ToolEffects) => (toolName: string) =>
  Object.hasOwn(effects, toolName) ? (effects[toolName] as ToolEffect) : 'non_idempotent_write';

export interface SuspendInput extends Ownership {
  turn: PendingTurn;
  effects: ToolEffects;
}

/** What a run becomes when a card is shown: nobody holds it, and its previews have a number of their own. */
function waitingWith(
  run: RunRecord,
  { turn, effects }: SuspendInput,
  nowMs: number,
): Pick<RunChange, 'kind' | 'from' | 'set' | 'pendingTurn'> {
  return {
    kind: 'waiting',
    from: 'running',
    set: {
      ...RELEASED,
      ...pendingColumns(turn, effectIn(effects)),
      status: asksForInput(turn) ? 'waiting_for_input' : 'waiting_for_approval',
      segment: 'resume',
      previewRevision: run.previewRevision + 1,
      bounceCount: 0,
      decisionNumber: 0,
      waitingSinceMs: nowMs,
    },
    pendingTurn: turn,
  };
}

/**
 * Suspends a run at a turn that needs a person, before any call of the turn ran
 * (T4, T5). The row is the card: nothing else stores that somebody must look.
 * Refuses: lease_lost, run_cancelled (R-44: a late suspension never resurrects a run).
 */
export function suspendRun(facts: Facts, input: SuspendInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned' || !facts.run) return ownershipRefusal(ownership === 'owned' ? 'lost' : ownership);
  return accepted({
    ...waitingWith(facts.run, input, facts.nowMs),
    events: [suspendedEvent(input.turn, facts.run.previewRevision + 1)],
  });
}

/** The same turn with current previews and the stale calls marked. */
export type BounceInput = SuspendInput;

/**
 * Sends an approved turn back to the person because what it would change is not
 * what they saw (T18). Nothing of the turn was executed; the next card has a new
 * revision, so a window that still shows the old one cannot decide (H-093).
 * Refuses: lease_lost, run_cancelled.
 */
export function bounceApproval(facts: Facts, input: BounceInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned' || !facts.run) return ownershipRefusal(ownership === 'owned' ? 'lost' : ownership);
  const change = waitingWith(facts.run, input, facts.nowMs);
  return accepted({
    ...change,
    set: { ...change.set, bounceCount: facts.run.bounceCount + 1 },
    events: [
      lifecycleEvent(
        'approval_bounced',
        {
          decisionNumber: facts.run.decisionNumber,
          staleCallIndexes: input.turn.calls.flatMap((call, index) =>
            input.turn.staleCallIds.includes(call.id) ? [index] : [],
          ),
        },
        input.turn.round,
      ),
      suspendedEvent(input.turn, facts.run.previewRevision + 1),
    ],
  });
}

/** What the card showed, as digests: proves later which previews a decision was about. */
export function suspendedEvent(turn: PendingTurn, revision: number): EventDraft {
  return lifecycleEvent(
    'suspended',
    {
      tools: turn.calls.map((call) => call.name),
      previewRevision: revision,
      previewDigest: previewDigest(turn),
      failedPreviews: turn.previews.filter((preview) => preview.preview.kind === 'failed').length,
      ...(asksForInput(turn) ? { questions: turn.questions.length } : {}),
    },
    turn.round,
  );
}

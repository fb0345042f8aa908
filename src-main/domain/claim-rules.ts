import type { Operator } from './actor.ts';
import { hasDayLimit } from './budget-rules.ts';
import type { Configuration } from './configuration.ts';
import { FIRST_CALIBRATION } from './context-fit.ts';
import { LEASE_MS } from './limits.ts';
import { modelQuestion, openingMessages } from './model-question.ts';
import { isPlainJson } from './plain-json.ts';
import type { EventDraft, RunEvent, RunRecord, RunRequest } from './run.ts';
import { lifecycleEvent, type RunChange, type RunColumns } from './run-change.ts';
import type { ToolDefinition } from './tool.ts';

export interface ClaimInput {
  workerId: string;
  /** Random, 128 bit, one per claim. */
  ownerToken: string;
  nowMs: number;
  /** Whether this worker executes nothing else right now; only such a worker may take a run that runs alone. */
  isIdle: boolean;
  /** The registry as it is now: the claim then stores, too, what a fresh run asks its model first. Left out = its segment does. */
  tools?: ToolDefinition[];
}

/** What a run begins with that goes on from its request. */
export interface Opening {
  configuration: Configuration;
  /** Null = a run that nobody owns. */
  owner: Operator | null;
  request: RunRequest;
}

/** What stands beside the row that a claim takes. */
export interface ClaimFacts {
  /** Null = it goes on from somewhere, or a part of its beginning is missing. */
  opening: Opening | null;
  /** The fingerprint of what was signed about the decision that is taken up; null = nothing. */
  receipt: string | null;
  /** The last event of the run: what put it into the queue. Null = nothing is recorded. */
  last: Pick<RunEvent, 'kind' | 'payload'> | null;
}

/** Why a run was in the queue: the cause its last event names, or that event itself. */
const causeOf = (last: ClaimFacts['last']): { cause: string } | object => {
  if (!last) return {};
  return { cause: typeof last.payload.cause === 'string' ? last.payload.cause : last.kind };
};

/**
 * What a claim does to the row it wins; the guard itself (due, queued, not held)
 * is the store's single UPDATE. The segment kind is kept: what was to happen next
 * happens now (T3). A run that begins at its request has its first question stored with
 * the claim: it must be stored before it is asked, and needs no transaction of its own.
 * Whatever the wall clock is set back to, an approval that a worker carries out cannot be
 * taken back any more. The attempt names what put the run into the queue (X14).
 */
export function claimRun(run: RunRecord, input: ClaimInput, { opening, receipt, last }: ClaimFacts): RunChange {
  const set: RunColumns = {
    status: 'running',
    ownerToken: input.ownerToken,
    workerId: input.workerId,
    leaseExpiresAtMs: input.nowMs + LEASE_MS,
    attempt: run.attempt + 1,
    phase: 'model',
    hold: '',
    notBeforeAtMs: 0,
    startedAtMs: run.segment === 'resume' ? run.startedAtMs : input.nowMs,
  };
  return {
    kind: 'claimed',
    from: 'queued',
    set,
    events: [
      lifecycleEvent('attempt', {
        segment: run.segment,
        ...causeOf(last),
        requeueCount: run.requeueCount,
        ...(receipt === null ? {} : { decisionNumber: run.decisionNumber, receipt }),
      }),
      ...(opening && input.tools ? announcement(run, opening, input.tools) : []),
    ],
  };
}

/**
 * The event of the first question, when it will be asked for certain and can be stored at all: a claim must not fail over
 * what its run holds, or no run behind that one is ever claimed. Its segment meets the same question and ends the run.
 */
function announcement(run: RunRecord, opening: Opening, registered: ToolDefinition[]): EventDraft[] {
  const { configuration, request } = opening;
  if (hasDayLimit(configuration.settings)) return [];
  const messages = openingMessages(configuration, request);
  const question = modelQuestion({ ...opening, run, registered, messages, calibration: FIRST_CALIBRATION });
  return !question.isTooLong && isPlainJson(question.event.payload) ? [question.event] : [];
}

/**
 * Whether a run may begin at its request. One that was shown to a person, or that
 * finished a write that must not be made twice, only ever goes on from its checkpoint.
 * Source: runtime.md D-20, D-21.
 */
export function mayStartFromRequest(run: RunRecord): boolean {
  return run.previewRevision === 0 && !run.hasNonIdempotentEffect;
}

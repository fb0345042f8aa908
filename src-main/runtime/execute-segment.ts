import type { Result } from '../../src-shared/refusals.ts';
import type { EndReason, RunOutcome } from '../../src-shared/vocabulary.ts';
import { mayStartFromRequest } from '../domain/claim-rules.ts';
import { LEASE_RENEWAL_MS } from '../domain/limits.ts';
import type { Message } from '../domain/message.ts';
import { openingMessages } from '../domain/model-question.ts';
import { ModelError } from '../domain/model-client.ts';
import { OtherFormError } from '../domain/sealed-faults.ts';
import type { ReleaseInput } from '../domain/segment-rules.ts';
import type { Decision, ModelAttempt, PendingTurn, RunRecord, RunRequest } from '../domain/run.ts';
import type { Operator } from '../domain/actor.ts';
import type { Configuration } from '../domain/configuration.ts';
import type { SegmentFailure } from '../domain/settle-rules.ts';
import { AnswersNotRead, AuditFailed } from './run-call.ts';
import { resumeTurn } from './resume-turn.ts';
import { moveOwned } from './owned-moves.ts';
import type { SegmentPorts } from './segment-ports.ts';
import { Segment, SuspendFailed } from './segment.ts';
import { runToolLoop } from './tool-loop.ts';

/** The worker is stopping: segments end as soon as they can and hand their runs back. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker is stopping.');
    this.name = 'WorkerStopping';
  }
}

/** The run was cancelled or lost while something was in flight. */
class SegmentOver extends Error {
  readonly outcome: RunOutcome;
  constructor(outcome: RunOutcome) {
    super(`The segment is over: ${outcome}.`);
    this.outcome = outcome;
  }
}

/**
 * Executes a claimed run until it ends, suspends or is lost, and leaves a row that
 * says so. Never throws for anything a run can do; a run is never left running by a
 * living worker.
 * Source: runtime.md §6 (the ladder); architecture.md §5.
 */
export async function executeSegment(ports: SegmentPorts, run: RunRecord, stopping: AbortSignal): Promise<RunOutcome> {
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const loaded = await load(ports, run);
  if ('failure' in loaded) return fail(ports, run, loaded.failure);
  if ('handBack' in loaded) return handBack(ports, run, loaded.handBack);
  const segment = new Segment(ports, { run, ...loaded.parts, signal });
  const stopRenewing = keepLease(segment, over);
  try {
    return await carry(segment, loaded.decided);
  } catch (error) {
    return await settleError(segment, error, signal);
  } finally {
    stopRenewing();
  }
}

async function carry(segment: Segment, decided: { turn: PendingTurn; decision: Decision } | null): Promise<RunOutcome> {
  const stop = decided ? await resumeTurn(segment, decided.turn, decided.decision) : null;
  return stop ?? runToolLoop(segment);
}

interface Failure {
  reason: EndReason;
  failureClass: SegmentFailure;
  retryAfterMs?: number;
  errorClass: string;
  sentence: string;
  attempts?: ModelAttempt[];
}

async function fail(ports: SegmentPorts, run: RunRecord, failure: Failure): Promise<RunOutcome> {
  return endOf(await moveOwned(ports, run, 'fail', { uncertainWrite: null, ...failure }));
}

/** Gives a run back of which nothing was touched. */
const handBack = async (ports: SegmentPorts, run: RunRecord, cause: HandBackCause): Promise<RunOutcome> =>
  endOf(await moveOwned(ports, run, 'release_claim', { cause }));

function endOf(result: Result<RunRecord>): RunOutcome {
  if (!result.ok) return result.refusal.kind === 'run_cancelled' ? 'cancelled' : 'lease_lost';
  return result.value.status === 'queued' ? 'requeued' : 'failed';
}

async function settleError(segment: Segment, error: unknown, signal: AbortSignal): Promise<RunOutcome> {
  const { ports, run } = segment;
  if (signal.aborted && signal.reason instanceof SegmentOver) return signal.reason.outcome;
  if (signal.aborted && signal.reason instanceof WorkerStopping) {
    return segment.handBack('worker_stopped');
  }
  ports.report(error, `run ${run.id}`);
  if (error instanceof ModelError) {
    return fail(ports, run, {
      reason: 'provider_failed',
      failureClass: error.failureClass,
      retryAfterMs: (error.retryAfterSeconds ?? 0) * 1_000,
      errorClass: `ModelError:${error.failureClass}`,
      sentence: error.message,
      attempts: segment.attempts,
    });
  }
  if (error instanceof SuspendFailed) {
    // A card that nobody has seen is lost with its run; a decision is not lost over the card that asks for it again.
    const isRetried = run.decisionNumber > 0 && isStorageFault(error.cause);
    const outcome = await fail(ports, run, {
      reason: 'suspend_failed',
      failureClass: isRetried ? 'storage' : 'unknown',
      errorClass: error.name,
      sentence: 'The run needed a person, but its question could not be stored. Nothing of the turn was executed.',
    });
    return outcome === 'failed' ? 'suspend_failed' : outcome;
  }
  if (error instanceof AuditFailed) {
    return fail(ports, run, {
      reason: 'audit_failed',
      failureClass: 'unknown',
      errorClass: error.name,
      sentence:
        'A write was carried out, and its record could not be stored. Look at its target and say what you found.',
    });
  }
  if (error instanceof AnswersNotRead) {
    return fail(ports, run, {
      reason: 'internal_error',
      failureClass: 'toolProcess',
      errorClass: error.name,
      sentence: 'The process for tools ended each time before it had read the answers. Start the run again.',
    });
  }
  if (isStorageFault(error)) {
    return fail(ports, run, {
      reason: 'internal_error',
      failureClass: 'storage',
      errorClass: 'StorageFault',
      sentence: 'The disk or the database failed. Look at the disk, then start the run again.',
    });
  }
  return fail(ports, run, {
    reason: 'internal_error',
    failureClass: 'unknown',
    errorClass: error instanceof Error ? error.name : typeof error,
    sentence: 'Something in this application went wrong. The log has the details; nothing else was done.',
  });
}

/**
 * A disk that is full or does not answer: nothing of it is the run's fault, and a decision that
 * is stored must not be lost over it (T-15).
 */
function isStorageFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^(SQLITE_(FULL|IOERR|CANTOPEN|NOMEM)|ENOSPC|EDQUOT|EIO)/.test(code);
}

/** How often a segment looks whether its run was cancelled while a call is in flight. */
const LOOK_MS = 1_000;

/**
 * Renews the lease while a call is in flight (D-08) and looks for a cancellation. A
 * cancelled or lost run aborts what is in flight, except a write.
 */
function keepLease(segment: Segment, over: AbortController): () => void {
  const stop = new AbortController();
  const { clock, report } = segment.ports;
  const watch = async (): Promise<void> => {
    let renewedMs = clock.monotonicMs();
    while (!stop.signal.aborted) {
      await clock.pause(LOOK_MS, stop.signal);
      const isDue = clock.monotonicMs() - renewedMs >= LEASE_RENEWAL_MS;
      if (isDue) renewedMs = clock.monotonicMs();
      try {
        const ended = isDue ? await segment.move('renew_lease', {}) : await segment.lookForEnd();
        if (ended && !stop.signal.aborted) over.abort(new SegmentOver(ended));
      } catch (error) {
        // The next renewal is a minute away and the lease lasts fifteen.
        report(error, `lease of run ${segment.run.id}`);
      }
    }
  };
  watch().catch((error: unknown) => {
    if (!stop.signal.aborted) report(error, `lease of run ${segment.run.id}`);
  });
  return () => stop.abort();
}

interface Loaded {
  parts: {
    configuration: Configuration;
    request: RunRequest;
    owner: Operator | null;
    opening: Message[];
    transcript: Message[];
  };
  decided: { turn: PendingTurn; decision: Decision } | null;
}

type HandBackCause = ReleaseInput['cause'];
type NotLoaded = { failure: Failure } | { handBack: HandBackCause };

/**
 * Everything a segment works with, read fresh after the claim; the owner's rights are
 * those of this moment. What cannot be read ends the run: a worker that stopped over
 * it would take the next worker with it, and so on. What another release can read is
 * left to that one (D-14).
 */
async function load(ports: SegmentPorts, run: RunRecord): Promise<Loaded | NotLoaded> {
  const parties = await orFailure(ports, run, 'internal_error', () => loadParties(ports, run));
  if (!('configuration' in parties)) return parties;
  const reason = run.decisionNumber > 0 ? 'state_unreadable' : 'request_unreadable';
  return orFailure(ports, run, reason, () => loadState(ports, run, parties));
}

async function orFailure<T extends object>(
  ports: SegmentPorts,
  run: RunRecord,
  reason: EndReason,
  read: () => Promise<T | NotLoaded>,
): Promise<T | NotLoaded> {
  try {
    return await read();
  } catch (error) {
    // A disk that cannot be read now says nothing about the run: it stays as it is, and this worker ends.
    if (isDiskFault(error)) throw error;
    ports.report(error, `stored state of run ${run.id}`);
    if (error instanceof OtherFormError) return { handBack: 'other_form' };
    return {
      failure: gone(reason, 'What is stored cannot be read: the file or the key was changed. Nothing was executed.'),
    };
  }
}

/** An error of the file system or of SQLite, not of what is stored. */
function isDiskFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

type Parties = Pick<Loaded['parts'], 'configuration' | 'owner'>;

async function loadParties({ store }: SegmentPorts, run: RunRecord): Promise<Parties | NotLoaded> {
  const configuration = await store.configuration(run.configurationId);
  if (!configuration) {
    return {
      failure: gone(
        'configuration_gone',
        `The configuration ${run.configurationIdentifier} no longer exists. Start the run again with another one.`,
      ),
    };
  }
  const owner = run.initiatorId > 0 ? await store.operator(run.initiatorId) : null;
  if (run.initiatorId > 0 && !owner?.isEnabled) {
    // A decision is kept for when they are back (D-16).
    if (run.decisionNumber > 0) return { handBack: 'initiator_unavailable' };
    return {
      failure: gone(
        'initiator_unavailable',
        'The person who started this run is disabled or gone; it is not executed in their name.',
      ),
    };
  }
  return { configuration, owner };
}

async function loadState({ store }: SegmentPorts, run: RunRecord, parties: Parties): Promise<Loaded | NotLoaded> {
  const request = await store.request(run.id);
  if (!request) return { failure: gone('request_unreadable', 'The stored request is missing. Start the run again.') };
  const transcript = await store.transcript(run.id);
  if (transcript.length === 0 && !mayStartFromRequest(run)) {
    return {
      failure: gone(
        'interrupted_resume',
        'What this run said and did so far is missing, and it has changed something already. It is not started again from its request.',
      ),
    };
  }
  const parts = { ...parties, request, opening: openingMessages(parties.configuration, request), transcript };
  if (run.decisionNumber === 0) return { parts, decided: null };
  const turn = await store.pendingTurn(run.id);
  const decision = await store.decision(run.id, run.decisionNumber);
  if (turn && decision) return { parts, decided: { turn, decision } };
  return {
    failure: gone('state_unreadable', 'The decided turn is missing. Nothing was executed; check the audit chain.'),
  };
}

const gone = (reason: EndReason, sentence: string): Failure => ({
  reason,
  failureClass: 'unknown',
  errorClass: reason,
  sentence,
});

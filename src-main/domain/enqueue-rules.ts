import { accepted, refused, type FieldProblem, type Result } from '../../src-shared/refusals.ts';
import { MAX_LABEL_LENGTH, MAX_ROUNDS } from '../../src-shared/run-limits.ts';
import type { RunMode } from '../../src-shared/vocabulary.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import { isPlainJson } from './plain-json.ts';
import type { RunRecord, RunRequest } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';

export interface EnqueueInput {
  actor: Actor;
  /** Also the key that makes a repeated start the same start (T-39). */
  id: string;
  label: string;
  mode: RunMode;
  request: RunRequest;
  /** Null = as many as the configuration says; above MAX_ROUNDS is clamped; below 1 is refused (X11). */
  maxRounds: number | null;
}

/**
 * Opens a run: the row, its sealed request and its first event, all or nothing.
 * Refuses: invalid_request, operator_unavailable, already_started, configuration_gone, configuration_inactive.
 * Source: runtime.md §5.2; architecture.md §5a T1+T2.
 */
export function enqueueRun(facts: Facts, input: EnqueueInput): Result<RunChange> {
  const problems = requestProblems(input);
  if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
  if (input.actor.kind === 'anonymous') return refused({ kind: 'operator_unavailable' });
  if (input.actor.kind === 'operator' && !facts.operator?.isEnabled) return refused({ kind: 'operator_unavailable' });
  // The record tells a purged run by its id: another one of that id could not be told from it.
  if (facts.run || facts.isPurged) return refused({ kind: 'already_started' });
  const configuration = facts.configuration;
  if (!configuration) return refused({ kind: 'configuration_gone', configuration: '' });
  if (!configuration.isActive) {
    return refused({ kind: 'configuration_inactive', configuration: configuration.identifier });
  }
  const create: RunRecord = {
    ...newRun(input, configuration.settings.maxRounds, facts.nowMs),
    configurationId: configuration.id,
    configurationIdentifier: configuration.identifier,
  };
  return accepted({
    kind: 'queued',
    from: 'new',
    create,
    set: {},
    request: input.request,
    events: [
      lifecycleEvent('queued', {
        configuration: configuration.identifier,
        mode: input.mode,
        initiator: create.initiatorId,
        maxRounds: create.maxRounds,
      }),
    ],
    wakes: true,
  });
}

function requestProblems({ request, maxRounds, label }: EnqueueInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (maxRounds !== null && (!Number.isInteger(maxRounds) || maxRounds < 1)) {
    problems.push({ field: 'maxRounds', problem: 'out_of_range', limit: MAX_ROUNDS });
  }
  if (label.length > MAX_LABEL_LENGTH) problems.push({ field: 'label', problem: 'too_long', limit: MAX_LABEL_LENGTH });
  const hasPrompt = request.messages.some((message) => message.role === 'user' && message.content.trim() !== '');
  if (!hasPrompt) problems.push({ field: 'prompt', problem: 'missing' });
  if (!isPlainJson(request)) problems.push({ field: 'request', problem: 'not_storable' });
  return problems;
}

function newRun(
  input: EnqueueInput,
  usualRounds: number,
  nowMs: number,
): Omit<RunRecord, 'configurationId' | 'configurationIdentifier'> {
  return {
    id: input.id,
    label: input.label,
    status: 'queued',
    mode: input.mode,
    segment: 'start',
    initiatorId: operatorIdOf(input.actor),
    actor: input.actor,
    ownerToken: '',
    workerId: '',
    leaseExpiresAtMs: 0,
    attempt: 0,
    requeueCount: 0,
    runsAlone: false,
    phase: '',
    fenceEffect: '',
    fenceCallId: '',
    recoverCallId: '',
    hasNonIdempotentEffect: false,
    hold: '',
    nextAttemptAtMs: nowMs,
    offlineDelayMs: 0,
    offlineSinceMs: 0,
    notBeforeAtMs: 0,
    rounds: 0,
    maxRounds: Math.min(input.maxRounds ?? usualRounds, MAX_ROUNDS),
    inputTokens: 0,
    outputTokens: 0,
    costMicros: null,
    unpricedAnswers: 0,
    isTruncated: false,
    endReason: '',
    errorClass: '',
    pendingTool: '',
    pendingEffect: '',
    pendingTarget: '',
    turnDigest: '',
    previewRevision: 0,
    bounceCount: 0,
    decisionNumber: 0,
    lastDecisionNumber: 0,
    lastSequence: -1,
    createdAtMs: nowMs,
    queuedAtMs: nowMs,
    startedAtMs: 0,
    waitingSinceMs: 0,
    finishedAtMs: 0,
  };
}

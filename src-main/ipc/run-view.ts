import type { ListedRunView } from '../../src-shared/views/listed-run-view.ts';
import type { RunView } from '../../src-shared/views/run-view.ts';
import type { RunRecord } from '../domain/run.ts';
import type { ListedRun } from '../runtime/listed-runs.ts';

/** What a screen or a command may show of a run. Owner token, worker and digests stay here. */
export function runView(run: RunRecord): RunView {
  return {
    runId: run.id,
    label: run.label,
    status: run.status,
    mode: run.mode,
    configuration: run.configurationIdentifier,
    initiatorId: run.initiatorId,
    pendingTool: run.pendingTool,
    pendingEffect: run.pendingEffect,
    pendingTarget: run.pendingTarget,
    phase: run.phase,
    hold: run.hold,
    rounds: run.rounds,
    maxRounds: run.maxRounds,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    costMicros: run.costMicros,
    unpricedAnswers: run.unpricedAnswers,
    isTruncated: run.isTruncated,
    endReason: run.endReason,
    errorClass: run.errorClass,
    attempt: run.attempt,
    createdAtMs: run.createdAtMs,
    startedAtMs: run.startedAtMs,
    nextAttemptAtMs: run.nextAttemptAtMs,
    waitingSinceMs: run.waitingSinceMs,
    finishedAtMs: run.finishedAtMs,
  };
}

/** The same as a row of a list. */
export function listedRunView(run: ListedRun): ListedRunView {
  return { ...runView(run), attribution: run.attribution, expiresAtMs: run.expiresAtMs };
}

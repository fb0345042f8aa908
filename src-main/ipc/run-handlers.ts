import type { Handlers } from '../../src-shared/ipc/contract.ts';
import { accepted, type Result } from '../../src-shared/refusals.ts';
import type { Surface } from '../../src-shared/trigger.ts';
import type { RunDetailView } from '../../src-shared/views/run-detail-view.ts';
import type { Actor } from '../domain/actor.ts';
import type { Answers, RunRecord } from '../domain/run.ts';
import type { RunDetail } from '../runtime/run-detail.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { runView } from './run-view.ts';

type RunHandlers = Pick<Handlers, Exclude<Extract<keyof Handlers, `runs.${string}`>, 'runs.search'>>;

/** Events of one answer; a screen asks on from the last one. */
const EVENTS_LENGTH = 500;

/** Everything about runs, for one signed-in person. Judged in the runtime; here is only the shape. */
export function createRunHandlers(runtime: Runtime, actor: Actor, surface: Surface): RunHandlers {
  /** A run that changed, as its own screen shows it. */
  const detailed = async (changed: Result<RunRecord>): Promise<Result<RunDetailView>> => {
    if (!changed.ok) return changed;
    const detail = await runtime.detail(actor, changed.value.id);
    if (!detail) throw new Error('A run that was just changed cannot be read by who changed it.');
    return accepted(detailView(detail));
  };
  return {
    async 'runs.start'({ runId, configurationId, label, prompt, maxRounds }) {
      const wanted = { runId, configurationId, label, prompt, maxRounds, allowedToolNames: null };
      const queued = await runtime.enqueue(actor, wanted);
      return queued.ok ? accepted({ runId: queued.value.id }) : queued;
    },
    async 'runs.detail'({ runId }) {
      const detail = await runtime.detail(actor, runId);
      return detail && detailView(detail);
    },
    async 'runs.events'({ runId, afterSequence }) {
      return runtime.timeline(actor, runId, afterSequence, EVENTS_LENGTH);
    },
    'runs.pendingDecision': ({ runId }) => runtime.pendingDecision(actor, runId),
    'runs.approve': async ({ runId, claims, ...card }) =>
      detailed(await runtime.approve(actor, runId, { ...card, trigger: { surface, claims } })),
    'runs.deny': async ({ runId, reason, claims, ...card }) =>
      detailed(await runtime.deny(actor, runId, { ...card, denialReason: reason, trigger: { surface, claims } })),
    'runs.submitInput': async ({ runId, answers, claims, ...card }) => {
      const form = { ...card, answers: answers as Answers, trigger: { surface, claims } };
      return detailed(await runtime.submitInput(actor, runId, form));
    },
    'runs.withdraw': async ({ runId }) => detailed(await runtime.withdraw(actor, runId)),
    'runs.cancel': async ({ runId }) => detailed(await runtime.cancel(actor, runId)),
    async 'runs.resolveWrite'({ runId, callId, finding }) {
      const resolved = await runtime.resolveUncertainWrite(actor, runId, { callId, finding });
      return resolved.ok ? accepted({ runId }) : resolved;
    },
    'runs.retry': async ({ runId }) => detailed(await runtime.retry(actor, runId)),
  };
}

function detailView({ run, initiatorName, result, mayCancel, mayRetry, withdrawUntilMs }: RunDetail): RunDetailView {
  return {
    run: runView(run),
    initiatorName,
    answer: result?.answer ?? '',
    failure: result?.failure ?? '',
    mayCancel,
    mayRetry,
    withdrawUntilMs,
  };
}

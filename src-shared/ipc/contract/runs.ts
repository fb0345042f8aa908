import { Type } from 'typebox';
import { PendingDecisionView } from '../../views/pending-decision-view.ts';
import { RunDetailView } from '../../views/run-detail-view.ts';
import { RunEventView } from '../../views/run-event-view.ts';
import { MAX_CALL_ID_LENGTH, MAX_PROMPT_LENGTH } from '../../run-limits.ts';
import { TriggerClaims } from '../../trigger.ts';
import { DENIAL_REASONS, WRITE_FINDINGS } from '../../vocabulary.ts';
import { command, exactly, query, topic } from '../entry.ts';
import { formText, OfRun, RunId } from './common.ts';

/** What was on the screen when the person decided; both bind the decision to it. */
const card = {
  runId: RunId,
  turnDigest: Type.String({ maxLength: 128 }),
  previewRevision: Type.Integer({ minimum: 0 }),
  claims: TriggerClaims,
};

const decisionRefusals = [
  'not_awaiting_approval',
  'already_decided',
  'configuration_gone',
  'configuration_inactive',
  'second_approver_required',
  'state_unreadable',
  'stale_turn',
  'stale_preview',
  'approver_not_permitted',
  'stale_tool',
  'blind_not_confirmed',
  'restored',
  'store_busy',
] as const;

const UUID_V4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
const CallId = Type.String({ minLength: 1, maxLength: MAX_CALL_ID_LENGTH });

/** Runs: start one, look at one, decide about one. */
export const runs = {
  'runs.start': command({
    input: exactly({
      /** Made by the page, a uuid of version 4: asked for twice, the run is started once. */
      runId: Type.String({ pattern: UUID_V4 }),
      configurationId: Type.String({ minLength: 1, maxLength: 64 }),
      label: formText(10_000),
      prompt: formText(MAX_PROMPT_LENGTH),
      maxRounds: Type.Union([Type.Integer(), Type.Null()]),
    }),
    output: OfRun,
    refusals: ['invalid_request', 'operator_unavailable', 'configuration_gone', 'configuration_inactive', 'store_busy'],
  }),
  /** The run as it stands; null = unknown, or not for this person. */
  'runs.detail': query({ input: OfRun, output: Type.Union([RunDetailView, Type.Null()]) }),
  /** What happened after a sequence, in order, at most 500 at once. */
  'runs.events': query({
    input: exactly({ runId: RunId, afterSequence: Type.Integer({ minimum: -1 }) }),
    output: Type.Array(RunEventView),
  }),
  /** The card; null when the run does not wait, or not for this person. */
  'runs.pendingDecision': query({ input: OfRun, output: Type.Union([PendingDecisionView, Type.Null()]) }),
  'runs.approve': command({
    input: exactly({ ...card, confirmsBlind: Type.Boolean() }),
    output: RunDetailView,
    refusals: decisionRefusals,
  }),
  'runs.deny': command({
    input: exactly({
      ...card,
      reason: Type.Union([Type.Enum(DENIAL_REASONS), Type.Null()]),
      note: Type.String({ maxLength: 2_000 }),
    }),
    output: RunDetailView,
    refusals: decisionRefusals,
  }),
  /** Answers every question of the turn at once, by call. Nothing is consumed unless everything fits. */
  'runs.submitInput': command({
    input: exactly({ ...card, answers: Type.Record(CallId, Type.Record(Type.String(), Type.Unknown())) }),
    output: RunDetailView,
    refusals: [
      'not_awaiting_input',
      'already_decided',
      'configuration_gone',
      'configuration_inactive',
      'state_unreadable',
      'invalid_input',
      'stale_turn',
      'stale_preview',
      'submitter_not_permitted',
      'restored',
      'store_busy',
    ],
  }),
  /** Takes the person's own approval back while its window is open. */
  'runs.withdraw': command({
    input: OfRun,
    output: RunDetailView,
    refusals: ['unknown_run', 'withdraw_window_over', 'state_unreadable', 'restored', 'store_busy'],
  }),
  'runs.cancel': command({
    input: OfRun,
    output: RunDetailView,
    refusals: ['unknown_run', 'already_ended', 'store_busy'],
  }),
  /** Makes a run due now that waits for its next try or for its model server. */
  'runs.retry': command({
    input: OfRun,
    output: RunDetailView,
    refusals: ['unknown_run', 'not_delayed', 'restored', 'store_busy'],
  }),
  /** What a person found at the target of an uncertain write; it leaves the list. */
  'runs.resolveWrite': command({
    input: exactly({
      runId: RunId,
      callId: CallId,
      finding: Type.Enum(WRITE_FINDINGS),
    }),
    output: OfRun,
    refusals: ['unknown_run', 'no_uncertain_write', 'restored', 'store_busy'],
  }),
  /** These runs changed; an empty list = look at all of them again. */
  'runs.changed': topic(exactly({ runIds: Type.Array(RunId) })),
} as const;

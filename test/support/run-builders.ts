import type { CallPreview } from '../../src-shared/preview.ts';
import type { Result } from '../../src-shared/refusals.ts';
import type { Operator } from '../../src-main/domain/actor.ts';
import {
  DEFAULT_SETTINGS,
  type Configuration,
  type ConfigurationSettings,
} from '../../src-main/domain/configuration.ts';
import type { PendingTurn, RunRecord } from '../../src-main/domain/run.ts';
import type { Facts, RunChange } from '../../src-main/domain/run-change.ts';
import type { CallQuestion, ToolCall, ToolDefinition } from '../../src-main/domain/tool.ts';
import { definitionsOf } from '../../src-main/domain/turn-rules.ts';

/** The people of the catalogue: administrator 1, owner 3, colleague 5 with the approve grant, disabled 7, outsider 9. */
export const PEOPLE = {
  admin: person(1, { isAdmin: true }),
  owner: person(3),
  colleague: person(5, { grants: ['agent_approve'] }),
  disabled: person(7, { isAdmin: true, isEnabled: false }),
  outsider: person(9),
};

function person(id: number, changes: Partial<Operator> = {}): Operator {
  return { id, name: `person ${id}`, isAdmin: false, isEnabled: true, grants: [], ...changes };
}

export const asActor = (operator: Operator) => ({ kind: 'operator', operatorId: operator.id }) as const;

/** A tool kit like the catalogue's: one tool of each kind. */
export const TOOLS = {
  read: tool('read_x', { effect: 'read_only' }),
  mark: tool('mark_x', { effect: 'read_only', requiresApproval: true }),
  set: tool('set_x', { effect: 'idempotent_write' }),
  make: tool('make_x', { effect: 'non_idempotent_write' }),
  admin: tool('admin_x', { effect: 'idempotent_write', requiresAdmin: true }),
  ask: tool('ask_x', { requiresInput: true }),
  files: tool('files_x', { effect: 'idempotent_write', group: 'files' }),
};
export const TOOL_LIST = Object.values(TOOLS);
export const EFFECTS = Object.fromEntries(TOOL_LIST.map((definition) => [definition.name, definition.effect]));

export function tool(name: string, changes: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: 'A tool for tests.',
    parameters: { type: 'object' },
    effect: 'read_only',
    group: 'records',
    requiresAdmin: false,
    requiresApproval: false,
    requiresInput: false,
    remote: null,
    ...changes,
  };
}

export function aCall(name: string, changes: Partial<ToolCall> = {}): ToolCall {
  return { id: `call-${name}`, name, arguments: { page: 42 }, ...changes };
}

export function aPreview(call: ToolCall, after = 'new title'): CallPreview {
  const target = { kind: 'record', database: 'site', table: 'pages', key: { id: 42 } } as const;
  return {
    callId: call.id,
    toolName: call.name,
    preview: {
      kind: 'record',
      action: 'update',
      target,
      changes: [{ field: 'title', before: 'old title', after }],
      notes: [],
    },
    target,
    footprint: { before: 'b'.repeat(64), after: 'a'.repeat(64) },
  };
}

export const aFailedPreview = (call: ToolCall): CallPreview => ({
  callId: call.id,
  toolName: call.name,
  preview: { kind: 'failed', reason: 'The record does not exist.' },
  target: null,
  footprint: null,
});

export function aTurn(calls: ToolCall[] = [aCall('set_x')], changes: Partial<PendingTurn> = {}): PendingTurn {
  return {
    v: 2,
    round: 1,
    calls,
    previews: calls.map((call) => aPreview(call)),
    questions: [],
    staleCallIds: [],
    definitions: definitionsOf(calls, (name) => TOOL_LIST.find((definition) => definition.name === name)),
    edits: {},
    ...changes,
  };
}

/** What `ask_x` asks: a town, which is needed, and whether it is urgent. */
export const QUESTION_SCHEMA = {
  type: 'object',
  title: 'Where is it?',
  properties: { town: { type: 'string', maxLength: 20 }, urgent: { type: 'boolean' } },
  required: ['town'],
};

export const aQuestion = (call: ToolCall, schema: CallQuestion['schema'] = QUESTION_SCHEMA): CallQuestion => ({
  callId: call.id,
  toolName: call.name,
  schema,
});

/** A turn that asks a person instead of proposing a write. */
export function anAskingTurn(
  calls: ToolCall[] = [aCall('ask_x', { arguments: {} })],
  changes: Partial<PendingTurn> = {},
): PendingTurn {
  const asking = calls.filter(({ name }) => name === 'ask_x');
  return aTurn(calls, { previews: [], questions: asking.map((call) => aQuestion(call)), ...changes });
}

export function aConfiguration(
  settings: Partial<ConfigurationSettings> = {},
  changes: Partial<Configuration> = {},
): Configuration {
  return {
    id: 'configuration-1',
    identifier: 'sample',
    isActive: true,
    settings: {
      ...DEFAULT_SETTINGS,
      model: { kind: 'scripted', scenarioPath: '/nowhere/scenario.json' },
      systemPrompt: '',
      withdrawWindowMs: 0,
      ...settings,
    },
    ...changes,
  };
}

/** A queued run of owner 3, new at 1 000. */
export function aRun(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    id: 'run-1',
    label: 'a run',
    status: 'queued',
    mode: 'queued',
    segment: 'start',
    configurationId: 'configuration-1',
    configurationIdentifier: 'sample',
    initiatorId: PEOPLE.owner.id,
    actor: asActor(PEOPLE.owner),
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
    nextAttemptAtMs: 1_000,
    offlineDelayMs: 0,
    offlineSinceMs: 0,
    notBeforeAtMs: 0,
    rounds: 0,
    maxRounds: 5,
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
    lastSequence: 0,
    createdAtMs: 1_000,
    queuedAtMs: 1_000,
    startedAtMs: 0,
    waitingSinceMs: 0,
    finishedAtMs: 0,
    ...changes,
  };
}

/** The claim that holds `aRunningRun`. */
export const CLAIM_OF_RUN = { ownerToken: 'token-1', attempt: 1 } as const;

export function aRunningRun(changes: Partial<RunRecord> = {}): RunRecord {
  return aRun({
    status: 'running',
    ...CLAIM_OF_RUN,
    workerId: 'worker-1',
    leaseExpiresAtMs: 902_000,
    phase: 'model',
    startedAtMs: 2_000,
    ...changes,
  });
}

export function aWaitingRun(changes: Partial<RunRecord> = {}): RunRecord {
  return aRun({
    status: 'waiting_for_approval',
    segment: 'resume',
    attempt: 1,
    rounds: 1,
    previewRevision: 1,
    startedAtMs: 2_000,
    waitingSinceMs: 3_000,
    ...changes,
  });
}

export function someFacts(changes: Partial<Facts> = {}): Facts {
  return {
    run: aRun(),
    nowMs: 10_000,
    operator: null,
    configuration: aConfiguration(),
    decision: null,
    pendingTurn: null,
    uncertainCallIds: [],
    isReminded: false,
    isPaused: false,
    isPurged: false,
    ...changes,
  };
}

/** The change of an accepted result; a refusal is a failed expectation that names it. */
export function changeOf(result: Result<RunChange>): RunChange {
  if (!result.ok) throw new Error(`Refused with ${JSON.stringify(result.refusal)}.`);
  return result.value;
}

/** The kind of a refusal, or 'accepted'. */
export const answerOf = (result: Result<unknown>): string => (result.ok ? 'accepted' : result.refusal.kind);

/** The run as it is after a change. */
export const afterChange = (run: RunRecord, change: RunChange): RunRecord => ({ ...run, ...change.set });

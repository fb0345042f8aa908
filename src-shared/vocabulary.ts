/*
 * The closed word lists of the product: what is stored in columns, sent over a
 * channel and shown on a screen. Values are the specification's (runtime.md §1,
 * architecture.md §5a) and never change meaning once released.
 * This file holds no rule; rules live in src-main/domain.
 */

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting_for_approval',
  'waiting_for_input',
  'completed',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run that has not ended. */
export type LiveStatus = Exclude<RunStatus, 'completed' | 'failed' | 'cancelled'>;

/** What a list is about: runs that wait for a person, runs that go on by themselves, runs that are over. */
export const STATUS_GROUPS = ['needs_me', 'active', 'ended'] as const;
export type StatusGroup = (typeof STATUS_GROUPS)[number];

/** What the next or current claim of a run does: first execution, another try, or the continuation after a decision. */
export const SEGMENT_KINDS = ['start', 'retry', 'resume'] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** Interactive runs have a person waiting: their failures surface at once instead of being retried. */
export const RUN_MODES = ['queued', 'interactive'] as const;
export type RunMode = (typeof RUN_MODES)[number];

export const RUN_OUTCOMES = [
  'completed',
  'awaiting_approval',
  'awaiting_input',
  'suspend_failed',
  'guardrail_blocked',
  'guardrail_approval_required',
  'failed',
  'cancelled',
  'requeued',
  'lease_lost',
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const END_REASONS = [
  'completed',
  'max_iterations',
  'budget_exhausted',
  'context_truncated',
  'policy_denied',
  'approval_denied',
  'provider_failed',
  'cancelled',
  'retries_exhausted',
  'not_retryable',
  'expired',
  'interrupted_resume',
  'initiator_unavailable',
  'state_unreadable',
  'request_unreadable',
  'configuration_gone',
  'suspend_failed',
  'audit_failed',
  'write_refused',
  'abandoned',
  'internal_error',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/**
 * Why a queued row is not claimed although it is due. Empty = nothing holds it. `restored` holds a run of any living status:
 * the database was put back from a copy, and nobody has said yet that the run may go on.
 */
export const HOLDS = ['', 'offline', 'configuration_inactive', 'initiator_unavailable', 'paused', 'restored'] as const;
export type Hold = (typeof HOLDS)[number];

export const FAILURE_CLASSES = [
  'connection',
  'rateLimit',
  'serverError',
  'circuitOpen',
  'auth',
  'configuration',
  'clientError',
  'unknown',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const TOOL_EFFECTS = ['read_only', 'idempotent_write', 'non_idempotent_write'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

/** What happened to the installation as a whole, beside every run. */
export const INSTALLATION_EVENT_KINDS = [
  'paused',
  'resumed',
  'repaired',
  'configured',
  'restored',
  'purged',
  'person_changed',
  'proof_refused',
] as const;
export type InstallationEventKind = (typeof INSTALLATION_EVENT_KINDS)[number];

/** One recorded unit of the tool loop. */
export const STEP_KINDS = ['request', 'llm', 'tool', 'assembled', 'context', 'dropped', 'tool_write'] as const;

/** What a person decided; never a step of the loop. */
export const DECISION_KINDS = ['approval', 'input'] as const;

/** What happened to the run as a whole. Desktop additions to the specification's nine kinds. */
export const LIFECYCLE_KINDS = [
  'queued',
  'attempt',
  'suspended',
  'approval_bounced',
  'approval_withdrawn',
  'arguments_edited',
  'card_renewed',
  'expiry_near',
  'requeued',
  'reclaimed',
  'retried',
  'released',
  'uncertain_write',
  'uncertain_resolved',
  'cancelled',
  'finished',
] as const;

export const EVENT_KINDS = [...STEP_KINDS, ...DECISION_KINDS, ...LIFECYCLE_KINDS] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const TOOL_OUTCOMES = ['ok', 'failed', 'cancelled', 'changed', 'refused'] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

/** Why a call of a decided turn was not executed: no arguments, so it is told at every privacy level (human-decisions.md §18). */
export const CALL_REFUSALS = [
  'denied',
  'tool_not_offered',
  'write_unapproved',
  'answer_missing',
  'tool_changed',
] as const;
export type CallRefusal = (typeof CALL_REFUSALS)[number];

export const WRITE_KINDS = ['created', 'updated', 'deleted'] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

export const WRITE_COMPLETENESS = ['complete', 'partial'] as const;
export type WriteCompleteness = (typeof WRITE_COMPLETENESS)[number];

/** What a person found out about a write whose outcome nobody could tell. */
export const WRITE_FINDINGS = ['written', 'not_written'] as const;
export type WriteFinding = (typeof WRITE_FINDINGS)[number];

/** Why a tool is not offered, in the order the axes are evaluated (runtime.md §1.7). */
export const TOOL_DENIALS = [
  'notRegistered',
  'toolDisabled',
  'requiresAdmin',
  'configurationGroup',
  'trustZone',
] as const;
export type ToolDenial = (typeof TOOL_DENIALS)[number];

/** Why a card can only be cancelled (human-decisions.md §13.1). */
export const UNREADABLE_REASONS = [
  'state_unreadable',
  'other_form',
  'schema_not_renderable',
  'schema_no_fields',
  'no_pending_calls',
] as const;
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number];

/** How sensitive what a tool may read is; least first (runtime.md §11.3). */
export const DATA_CLASSES = [
  'publicContent',
  'editorContent',
  'sourceCode',
  'internalConfiguration',
  'systemDiagnostics',
  'secretAdjacent',
] as const;
export type DataClass = (typeof DATA_CLASSES)[number];

/** Where a model runs, nearest first (runtime.md §11.3). */
export const TRUST_ZONES = ['local', 'privateHosted', 'externalEu', 'externalGlobal'] as const;
export type TrustZone = (typeof TRUST_ZONES)[number];

/** What a decision says of one call. */
export const VERDICTS = ['approved', 'denied'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Who approved, as seen from who started the run; the first of several decides (human-decisions.md §11). */
export const ATTRIBUTIONS = ['self', 'unresolved', 'initiatorUnknown', 'secondPerson'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

/** Closed reasons a person may give with a denial (human-decisions.md §9). */
export const DENIAL_REASONS = ['variant', 'skip'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

/** How much of a run's content its stored events keep; strictest first (runtime.md §14.3). */
export const PRIVACY_LEVELS = ['none', 'metadata', 'redacted', 'full'] as const;
export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

/** Scopes of service accounts. No wildcard (runtime.md §1.7). */
export const SCOPES = [
  'agent:approve',
  'agent:cancel',
  'agent:read',
  'conversation:access',
  'configuration:use',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Grants of people. Administrators hold all of them. */
export const GRANTS = ['tasks_use', 'agent_approve'] as const;
export type Grant = (typeof GRANTS)[number];

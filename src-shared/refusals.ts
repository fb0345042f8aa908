import { Type, type Static } from 'typebox';
import { RUN_STATUSES, TOOL_DENIALS } from './vocabulary.ts';

const Status = Type.Enum(RUN_STATUSES);

/** Why a field was not taken. */
export const FIELD_PROBLEMS = [
  'missing',
  'too_long',
  'too_short',
  'out_of_range',
  'bad_name',
  'invisible',
  'name_taken',
  'named_twice',
  'not_http_address',
  'address_holds_key',
  'no_such_file',
  'no_such_folder',
  'reserved_path',
  'not_storable',
  'not_absolute',
  'key_bound_to_address',
  'not_valid',
] as const;

/** One field and what is wrong with it, as facts. `field` is a path such as `prompt` or `databases.0.path`. */
export const FieldProblem = Type.Object({
  field: Type.String(),
  problem: Type.Enum(FIELD_PROBLEMS),
  /** The largest value or length allowed, where there is one. */
  limit: Type.Optional(Type.Integer()),
});
export type FieldProblem = Static<typeof FieldProblem>;

/** Why one answer of a person was not taken. */
export const ANSWER_PROBLEMS = [
  'missing',
  'not_asked',
  'wrong_type',
  'not_an_option',
  'too_long',
  'too_short',
  'out_of_range',
  'not_storable',
  'took_too_long',
  'not_valid',
] as const;

/** One answer and what is wrong with it. `field` is empty when the whole answer to the call is meant. */
export const AnswerProblem = Type.Object({
  callId: Type.String(),
  field: Type.String(),
  problem: Type.Enum(ANSWER_PROBLEMS),
  limit: Type.Optional(Type.Number()),
});
export type AnswerProblem = Static<typeof AnswerProblem>;

/**
 * Every expected "no", as one closed union. A refusal carries facts, never prose
 * and never a secret; the sentence is made where it is shown. A refused request
 * has changed nothing: row, state and events are byte-identical.
 * Source: architecture.md §7; human-decisions.md §15.5.
 */
export const Refusal = Type.Union([
  /** Unknown run, forbidden run and a run that does not wait are one answer, so a stranger cannot probe ids (LIM-09). */
  Type.Object({ kind: Type.Literal('not_awaiting_approval') }),
  /** The same for a run that asks a question. */
  Type.Object({ kind: Type.Literal('not_awaiting_input') }),
  /** Somebody decided this turn already; told only to people who may decide it. */
  Type.Object({ kind: Type.Literal('already_decided'), status: Status }),
  /** No such run, or not for this person: one answer. */
  Type.Object({ kind: Type.Literal('unknown_run') }),
  Type.Object({ kind: Type.Literal('already_ended'), status: Status }),
  /** A run of this id was started before; internal to the runtime, which then gives that run to who started it. */
  Type.Object({ kind: Type.Literal('already_started') }),
  Type.Object({ kind: Type.Literal('configuration_gone'), configuration: Type.String() }),
  Type.Object({ kind: Type.Literal('configuration_inactive'), configuration: Type.String() }),
  Type.Object({ kind: Type.Literal('second_approver_required'), configuration: Type.String() }),
  Type.Object({ kind: Type.Literal('state_unreadable') }),
  /** The digest is missing or names another turn. */
  Type.Object({ kind: Type.Literal('stale_turn') }),
  /** The preview on the screen is not the current one. */
  Type.Object({ kind: Type.Literal('stale_preview'), currentRevision: Type.Integer() }),
  /** A tool of the turn is defined otherwise now than when the card was made; the card has to be renewed. */
  Type.Object({ kind: Type.Literal('stale_tool'), toolName: Type.String() }),
  /** A write has no readable preview, or a call is withheld from this person, and they did not say that they approve it unseen. */
  Type.Object({ kind: Type.Literal('blind_not_confirmed'), toolNames: Type.Array(Type.String()) }),
  /** The turn has no such call. */
  Type.Object({ kind: Type.Literal('no_such_call'), callId: Type.String() }),
  /** What a person put in place of a call's arguments does not fit its tool. */
  Type.Object({
    kind: Type.Literal('invalid_arguments'),
    toolName: Type.String(),
    problems: Type.Array(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('approver_not_permitted'),
    toolName: Type.String(),
    reason: Type.Enum([...TOOL_DENIALS, 'serviceAccount', 'accountUnavailable']),
  }),
  Type.Object({
    kind: Type.Literal('submitter_not_permitted'),
    toolName: Type.String(),
    reason: Type.Enum([...TOOL_DENIALS, 'serviceAccount', 'accountUnavailable']),
  }),
  /** The answers do not fit the questions; nothing was consumed, the form can be sent again. */
  Type.Object({ kind: Type.Literal('invalid_input'), problems: Type.Array(AnswerProblem) }),
  Type.Object({ kind: Type.Literal('withdraw_window_over') }),
  /** The run waits for nothing that trying now could shorten: it is due already, or it is not in the queue. */
  Type.Object({ kind: Type.Literal('not_delayed'), status: Status }),
  /** The run does not wait for a person; told only to people who may withdraw its question. */
  Type.Object({ kind: Type.Literal('not_waiting'), status: Status }),
  /** No write of this run is uncertain under that call, or somebody settled it already. */
  Type.Object({ kind: Type.Literal('no_uncertain_write') }),
  /** The database was put back from a copy; the run goes on only when an administrator has released it. */
  Type.Object({ kind: Type.Literal('restored') }),
  /** The run is not held for having been restored; told only to administrators. */
  Type.Object({ kind: Type.Literal('not_restored'), status: Status }),
  /** Nothing was signed about this decision, or what was signed is not there as it was. */
  Type.Object({
    kind: Type.Literal('no_receipt'),
    decisionNumber: Type.Integer(),
    why: Type.Enum(['undecided', 'no_such_decision', 'not_taken_up', 'never_taken_up', 'damaged']),
  }),
  /** Everything is paused: no write starts; internal to workers. */
  Type.Object({ kind: Type.Literal('paused') }),
  Type.Object({ kind: Type.Literal('operator_unavailable') }),
  /** Only an administrator may do this. */
  Type.Object({ kind: Type.Literal('not_administrator') }),
  /** No person of that name; told only to administrators. */
  Type.Object({ kind: Type.Literal('unknown_person') }),
  /** Nobody would be left who can look after the installation. */
  Type.Object({ kind: Type.Literal('last_administrator') }),
  /** A wrong passphrase, a name nobody has and a person who is switched off are one answer. */
  Type.Object({ kind: Type.Literal('proof_refused') }),
  /** Too many failed proofs of that name. */
  Type.Object({ kind: Type.Literal('too_many_attempts'), waitMs: Type.Integer() }),
  /** What was entered cannot be used; one entry per field and reason. */
  Type.Object({ kind: Type.Literal('invalid_request'), problems: Type.Array(FieldProblem) }),
  /** No worker process is there to do it. */
  Type.Object({ kind: Type.Literal('no_worker') }),
  /** The segment no longer owns the run; internal to workers. */
  Type.Object({ kind: Type.Literal('lease_lost') }),
  /** The run was cancelled meanwhile; internal to workers. */
  Type.Object({ kind: Type.Literal('run_cancelled') }),
  /** The database stayed locked by another process for the whole retry time. */
  Type.Object({ kind: Type.Literal('store_busy'), waitedMs: Type.Integer() }),
]);
export type Refusal = Static<typeof Refusal>;

/** What a request comes to: its value, or the reason it was refused. */
export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export const accepted = <T>(value: T): Result<T> => ({ ok: true, value });
export const refused = (refusal: Refusal): { ok: false; refusal: Refusal } => ({ ok: false, refusal });

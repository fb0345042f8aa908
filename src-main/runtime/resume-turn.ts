import type { CallPreview } from '../../src-shared/preview.ts';
import type { CallRefusal, RunOutcome } from '../../src-shared/vocabulary.ts';
import { sameDigest } from '../domain/digest.ts';
import { denialText } from '../domain/denial-text.ts';
import { argumentProblems } from '../domain/argument-rules.ts';
import { answerProblems, withAnswers } from '../domain/question-rules.ts';
import { PATIENT_JUDGING_MS } from '../domain/question-shape.ts';
import { isApproval, type Decision, type InputDecision, type PendingTurn } from '../domain/run.ts';
import type { ToolCall, ToolDefinition } from '../domain/tool.ts';
import { needsApproval } from '../domain/approval-rule.ts';
import { asksForInput, isAsShown, isWrite, turnBinding } from '../domain/turn-rules.ts';
import { answerCall, endUncertain, examineWrite, recordRecoveredWrite, runAnsweredCall, runCall } from './run-call.ts';
import type { Segment } from './segment.ts';
import { byName, planTurn, renewedCard } from './turn-card.ts';

/** A decided turn as a segment takes it up: possibly half done by an earlier attempt. */
interface DecidedTurn {
  turn: PendingTurn;
  decision: Decision;
  /** Calls without an answer yet, in order. */
  open: ToolCall[];
  /** Whether an earlier attempt finished a call of this turn. */
  isStarted: boolean;
}

/**
 * Carries out a stored decision: recovers what an interrupted attempt left,
 * compares an approved turn with what the target shows now, then executes or
 * answers each open call in order, as the run's owner.
 * Returns null when the turn is done and the loop goes on, or the segment's outcome.
 * Source: architecture.md §5 steps 8 and 9, §5a; human-decisions.md §7, §8.
 */
export async function resumeTurn(segment: Segment, turn: PendingTurn, decision: Decision): Promise<RunOutcome | null> {
  if (!isBound(segment, turn, decision)) return endUnreadable(segment);
  const answered = answeredIds(segment);
  const open = turn.calls.filter((call) => !answered.has(call.id));
  const decided: DecidedTurn = { turn, decision, open, isStarted: turn.calls.length > open.length };
  const recovered = await recoverInterruptedCall(segment, decided);
  if (recovered) return recovered.outcome;
  if (isApproval(decision) && !decided.isStarted) {
    const bounced = await bounceWhenChanged(segment, decided);
    if (bounced) return bounced;
  }
  for (const [index, call] of decided.open.entries()) {
    const stop = await carryOut(segment, decided, call, index === decided.open.length - 1);
    if (stop) return stop;
  }
  return null;
}

/** The stored decision must be about exactly this turn and card; anything else was tampered with. */
function isBound({ run }: Segment, turn: PendingTurn, decision: Decision): boolean {
  if (!sameDigest(turnBinding(turn), decision.turnDigest) || decision.previewRevision !== run.previewRevision)
    return false;
  return decision.kind === 'input' ? asksForInput(turn) && fitted(turn, decision) : !asksForInput(turn);
}

/** Answers fitted when they were stored. That they cannot be judged in time now says something about the machine. */
const fitted = (turn: PendingTurn, { answers }: InputDecision): boolean =>
  answerProblems(turn.questions, answers, PATIENT_JUDGING_MS).every(({ problem }) => problem === 'took_too_long');

async function endUnreadable(segment: Segment): Promise<RunOutcome> {
  const stop = await segment.move('fail', {
    failureClass: 'unknown',
    reason: 'state_unreadable',
    errorClass: 'DecisionMismatch',
    sentence: 'The stored decision does not belong to the stored turn. Nothing was executed; check the audit chain.',
    uncertainWrite: null,
  });
  return stop ?? 'failed';
}

/** Ids answered since the turn's own assistant message. */
function answeredIds(segment: Segment): Set<string> {
  const last = segment.messages.findLastIndex((message) => message.role === 'assistant');
  return new Set(
    segment.messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
  );
}

const isEdited = (turn: PendingTurn, call: ToolCall): boolean => Object.hasOwn(turn.edits, call.id);

const previewOf = (turn: PendingTurn, call: ToolCall): CallPreview | null =>
  turn.previews.find((preview) => preview.callId === call.id && preview.toolName === call.name) ?? null;

/**
 * A write that was fenced when its worker died is examined before anything else of
 * the turn: not applied, it executes as if never tried; applied, it is recorded as
 * recovered; anything else ends the run with an uncertain write, never a second card.
 */
async function recoverInterruptedCall(
  segment: Segment,
  decided: DecidedTurn,
): Promise<{ outcome: RunOutcome | null } | null> {
  const call = decided.open.find((candidate) => candidate.id === segment.run.recoverCallId);
  if (!call) return null;
  const preview = previewOf(decided.turn, call);
  const evidence = await examineWrite(segment, call, preview);
  if (evidence === 'unknown' || !preview)
    return { outcome: await endUncertain(segment, call, preview, 'footprint_unknown') };
  // From here on something of the turn counts as executed: the rest is guarded by its own footprints, not by a second card.
  decided.isStarted = true;
  if (evidence === 'not_applied') return null;
  const isLast = decided.open.length === 1;
  const position = { round: decided.turn.round, isLast, isEdited: isEdited(decided.turn, call) };
  const stop = await recordRecoveredWrite(segment, call, preview, position);
  decided.open = decided.open.filter((candidate) => candidate !== call);
  return stop || isLast ? { outcome: stop } : null;
}

/**
 * Compares before any call of the turn executes; one footprint that changed, or one tool that is defined otherwise now, sends the
 * whole turn back with current previews.
 */
async function bounceWhenChanged(segment: Segment, { turn, open }: DecidedTurn): Promise<RunOutcome | null> {
  const offered = byName(await segment.offered());
  // A tool that was withdrawn is not read under lost authority; it is refused when its turn comes (H-177).
  const compared = open.filter((call) => offered.has(call.name));
  const redefined = compared.filter((call) => !isAsShown(turn, offered.get(call.name) as ToolDefinition));
  const writes = compared.filter((call) => isWrite(segment.effectOf(call.name)));
  // A preview that failed showed nobody a state, though it may know one: there is nothing to compare (H-175).
  const isBoundPreview = (call: ToolCall): boolean => {
    const shown = previewOf(turn, call);
    return shown !== null && shown.preview.kind !== 'failed' && shown.footprint !== null;
  };
  if (redefined.length === 0 && !writes.some(isBoundPreview)) return null;
  const current = await planTurn(segment, open, offered);
  const byId = new Map(current.map((preview) => [preview.callId, preview]));
  const moved = writes.filter(
    (call) => isBoundPreview(call) && byId.get(call.id)?.footprint?.before !== previewOf(turn, call)?.footprint?.before,
  );
  const stale = compared.filter((call) => redefined.includes(call) || moved.includes(call));
  if (stale.length === 0) return null;
  return segment.waitForPerson('bounce', renewedCard(segment, turn, current, stale));
}

async function carryOut(
  segment: Segment,
  { turn, decision }: DecidedTurn,
  call: ToolCall,
  isLast: boolean,
): Promise<RunOutcome | null> {
  const position = { round: turn.round, isLast };
  const definition = (await segment.offered()).find((candidate) => candidate.name === call.name);
  const question = turn.questions.find(({ callId }) => callId === call.id);
  const refused = refusalOf(turn, decision, call, definition);
  if (refused)
    return answerCall(segment, call, refusedText(segment, turn, decision, call, refused), position, {
      refusal: refused,
    });
  return question && decision.kind === 'input'
    ? runAnsweredCall(segment, withAnswers(call, question, decision.answers), position)
    : runCall(segment, call, previewOf(turn, call), { ...position, isEdited: isEdited(turn, call) });
}

/** Why a call does not run: the decision does not release it, or it is not what it was any more. Null = it runs. */
function refusalOf(
  turn: PendingTurn,
  decision: Decision,
  call: ToolCall,
  definition: ToolDefinition | undefined,
): CallRefusal | null {
  if (decision.kind === 'approval' && decision.verdicts[call.id] !== 'approved') return 'denied';
  if (!definition) return 'tool_not_offered';
  // The tool was not offered, or needed no approval, when the person was asked: an answer approves nothing.
  if (decision.kind === 'input' && needsApproval(definition)) return 'write_unapproved';
  if (definition.requiresInput && !turn.questions.some(({ callId }) => callId === call.id)) return 'answer_missing';
  const isAsDecided =
    decision.kind === 'input' ? argumentProblems(definition, call.arguments).length === 0 : isAsShown(turn, definition);
  return isAsDecided ? null : 'tool_changed';
}

/** What the model reads in place of such a call. */
function refusedText(
  segment: Segment,
  turn: PendingTurn,
  decision: Decision,
  { id, name }: ToolCall,
  refusal: CallRefusal,
): string {
  if (refusal === 'denied' && decision.kind === 'approval') {
    const note = turn.calls[0]?.id === id ? decision.note : '';
    return denialText(decision, segment.run.initiatorId, name, segment.effectOf(name), note);
  }
  return `Error: ${name} ${REFUSAL_WORDS[refusal]}`;
}

const REFUSAL_WORDS: Record<CallRefusal, string> = {
  denied: 'was denied. Nothing was executed.',
  tool_not_offered: 'is not permitted any more. Nothing was executed.',
  write_unapproved: 'was not approved by a person. Nothing was executed; propose it again.',
  answer_missing: 'needs an answer of a person, which this turn did not wait for. Ask in a turn of its own.',
  tool_changed: 'changed since it was asked for. Nothing was executed.',
};

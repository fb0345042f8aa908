import type { CallPreview, Footprint } from '../../src-shared/preview.ts';
import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import { boundText } from '../domain/bounded-text.ts';
import { canonicalJson } from '../domain/digest.ts';
import type { Message } from '../domain/message.ts';
import type { ModelQuestion } from '../domain/model-question.ts';
import type { UncertainWrite } from '../domain/run.ts';
import { toolEvent, toolWriteEvent, type ToolMarks } from '../domain/step-events.ts';
import type { ToolCall, ToolResult } from '../domain/tool.ts';
import { isWrite } from '../domain/turn-rules.ts';
import { deniedBudget, nextQuestion } from './next-question.ts';
import { storePatiently } from './owned-moves.ts';
import type { Segment, Step } from './segment.ts';

/** Where a call stands in its turn. */
export interface CallPosition {
  round: number;
  /** The last unanswered call of the turn: its step also ends the turn. */
  isLast: boolean;
  /** A person changed its arguments before approving; the model is told what ran. */
  isEdited?: boolean;
}

/**
 * Executes one call of a turn and records it. A write is fenced first, executes
 * with the footprint the person saw, and its result, its `tool_write` and the end of
 * the fence are one transaction.
 * Returns null to go on, or the outcome that ends the segment.
 * Source: architecture.md §5 step 9; runtime.md §8, §18.
 */
export async function runCall(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview | null,
  position: CallPosition,
): Promise<RunOutcome | null> {
  const { ports } = segment;
  const effect = segment.effectOf(call.name);
  if (!isWrite(effect)) {
    const { result, durationMs } = await read(segment, call);
    return recordResult(segment, call, result, position, durationMs, '');
  }
  // A worker that is stopping starts no write.
  segment.signal.throwIfAborted();
  const stop = await segment.move('stamp_fence', {
    callId: call.id,
    effect: effect as Exclude<typeof effect, 'read_only'>,
  });
  if (stop) return stop;
  const startedMs = ports.clock.monotonicMs();
  // A write is not aborted half-way: it finishes or its own deadline ends it.
  const result = await ports.tools.execute(call, segment.toolContext(), approvedFootprint(preview));
  ports.crashPoint('after_effect_before_result');
  const durationMs = ports.clock.monotonicMs() - startedMs;
  if (result.isUncertain) return settleUnknownWrite(segment, call, preview, position, durationMs);
  return recordResult(segment, call, result, position, durationMs, call.id);
}

/**
 * Executes reads of a turn at the same time and records them in the model's order (D-31): a read changes nothing, so none can
 * depend on another. Returns as `runCall`.
 */
export async function runReads(
  segment: Segment,
  calls: ToolCall[],
  positionOf: (index: number) => CallPosition,
): Promise<RunOutcome | null> {
  const reads = await Promise.all(calls.map(async (call) => ({ call, ...(await read(segment, call)) })));
  for (const [index, { call, result, durationMs }] of reads.entries()) {
    const stop = await recordResult(segment, call, result, positionOf(index), durationMs, '');
    if (stop) return stop;
  }
  return null;
}

async function read(segment: Segment, call: ToolCall): Promise<{ result: ToolResult; durationMs: number }> {
  const { tools, clock, crashPoint } = segment.ports;
  const startedMs = clock.monotonicMs();
  const result = await tools.execute(call, segment.toolContext(), null, segment.signal);
  segment.signal.throwIfAborted();
  crashPoint('after_effect_before_result');
  return { result, durationMs: clock.monotonicMs() - startedMs };
}

/** The process of a call ended before it had read a person's answers: the answers are kept, and the run is tried again. */
export class AnswersNotRead extends Error {
  constructor(toolName: string) {
    super(`The process of ${toolName} gave no result.`);
    this.name = 'AnswersNotRead';
  }
}

/**
 * Executes a call with a person's answers and records it. Answers are consumed by the record of its result, so they are kept
 * when there is none; the model would have nothing left but to ask again.
 * Returns as `runCall`. Faults: `AnswersNotRead`.
 * Source: docs/decisions/0016-questions-to-a-person.md.
 */
export async function runAnsweredCall(
  segment: Segment,
  call: ToolCall,
  position: CallPosition,
): Promise<RunOutcome | null> {
  const { result, durationMs } = await read(segment, call);
  if (result.isCutOff) throw new AnswersNotRead(call.name);
  return recordResult(segment, call, result, position, durationMs, '');
}

/** What a write may rely on: a preview that failed showed nobody what would change, so it releases nothing. */
const approvedFootprint = (preview: CallPreview | null): Footprint | null =>
  preview && preview.preview.kind !== 'failed' ? preview.footprint : null;

/** Answers a call that is not executed: refused, denied or malformed. */
export async function answerCall(
  segment: Segment,
  call: ToolCall,
  content: string,
  position: CallPosition,
  marks: Pick<ToolMarks, 'deniedBefore' | 'refusal'> = {},
): Promise<RunOutcome | null> {
  return recordResult(segment, call, { outcome: 'refused', content, write: null, ...marks }, position, 0, '');
}

/** The message a result becomes for the model, bounded and well-formed. */
export function toolMessage(
  call: ToolCall,
  result: Pick<ToolResult, 'outcome' | 'content'>,
): Extract<Message, { role: 'tool' }> {
  return {
    role: 'tool',
    callId: call.id,
    toolName: call.name,
    content: boundText(result.content.toWellFormed()),
    isError: result.outcome !== 'ok',
  };
}

/** The model asked for something else: it reads what ran instead before it reads what came of it. */
const withEdit = <R extends Pick<ToolResult, 'outcome' | 'content'>>(call: ToolCall, result: R): R => ({
  ...result,
  content: `A person changed the arguments before approving. These ran: ${canonicalJson(call.arguments)}\n${result.content}`,
});

async function recordResult(
  segment: Segment,
  call: ToolCall,
  result: ToolResult & Pick<ToolMarks, 'isRecovered' | 'deniedBefore' | 'refusal'>,
  position: CallPosition,
  durationMs: number,
  fencedCallId: string,
): Promise<RunOutcome | null> {
  const context = { round: position.round, privacy: segment.configuration.settings.privacy };
  const message = toolMessage(call, position.isEdited ? withEdit(call, result) : result);
  const write = result.outcome === 'ok' ? result.write : null;
  const step: Step = {
    events: [
      toolEvent(context, durationMs, call, {
        ...result,
        content: message.content,
        ...(position.isEdited ? { isEdited: true } : {}),
      }),
      ...(write ? [toolWriteEvent(context, call, write)] : []),
    ],
    messages: [message],
    phase: position.isLast ? 'model' : 'tools',
    fencedCallId,
    // A write that failed half-way counts, too: nobody knows how far it came.
    isEffectDone: fencedCallId !== '' && (result.outcome === 'ok' || result.outcome === 'failed'),
    endsTurn: position.isLast && segment.run.decisionNumber > 0,
  };
  const stop = await recordStep(segment, step, position);
  if (!stop) segment.ports.crashPoint('after_result');
  // The write happened but the run is somebody else's now: keep the fact where a person looks (X3).
  if (stop === 'lease_lost' && write) {
    const orphan = { ...uncertainWrite(segment, call, null, 'orphaned'), target: write.target };
    await storePatiently(segment.ports, segment.run.id, 'record_orphan_write', {
      write: orphan,
      attempt: segment.run.attempt,
    });
  }
  return stop;
}

/** A write was carried out and its step could not be stored. It is never tried again. */
export class AuditFailed extends Error {
  constructor(cause: unknown) {
    super('The step of a write could not be stored.', { cause });
    this.name = 'AuditFailed';
  }
}

/**
 * Stores the step of a call. In one transaction, and so with one fsync: the `tool` event, `tool_write` when it wrote, the
 * result's message, the end of the fence and of the turn, totals, lease and, after the last call of a turn, the `request`
 * event of the question that comes next, which must be stored before it is asked.
 *
 * A life of one write takes these eight transactions: enqueue; claim with `attempt` and `request`; the answer with `llm`, its message
 * and totals, and the pause it leads to with `suspended`, turn and previews; the decision with `approval`; claim; fence; this
 * one; the last answer with `llm`, the result and `finished`. Between any two of them something outside happens that needs the
 * one before. Between an answer and its pause only previews are made, which can be made again: a worker that dies over them
 * asks the model once more.
 */
async function recordStep(segment: Segment, step: Step, { isLast }: CallPosition): Promise<RunOutcome | null> {
  const question = isLast ? await upcomingQuestion(segment, step) : null;
  if (step.fencedCallId !== '') return recordWrite(segment, step, question);
  if (!question) return segment.recordRead(step);
  try {
    return await segment.recordWithQuestion(step, question);
  } catch (error) {
    // The step of a read may be kept for later, a question that was not stored is not asked.
    segment.ports.report(error, `step of run ${segment.run.id}`);
    return segment.recordRead(step);
  }
}

/** The step of a write is stored now or never. Faults: `AuditFailed`. */
async function recordWrite(segment: Segment, step: Step, question: ModelQuestion | null): Promise<RunOutcome | null> {
  try {
    return await (question ? segment.recordWithQuestion(step, question) : segment.record(step));
  } catch (error) {
    throw new AuditFailed(error);
  }
}

/**
 * Null = nothing is asked any more, as after a cancellation, or it cannot be worked out now: what happened must not be lost
 * over what comes next.
 */
async function upcomingQuestion(segment: Segment, step: Step): Promise<ModelQuestion | null> {
  if (segment.signal.aborted) return null;
  try {
    if ((await segment.lookForEnd()) || (await deniedBudget(segment))) return null;
    const question = await nextQuestion(segment, step.messages);
    return question.isTooLong ? null : question;
  } catch (error) {
    segment.ports.report(error, `question of run ${segment.run.id}`);
    return null;
  }
}

/** Records a write that an earlier, interrupted attempt had already made. */
export async function recordRecoveredWrite(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview,
  position: CallPosition,
): Promise<RunOutcome | null> {
  const kinds = { create: 'created', update: 'updated', delete: 'deleted', move: 'updated' } as const;
  const shown = preview.preview;
  const write =
    shown.kind === 'failed' || !preview.target
      ? null
      : ({ target: preview.target, kind: kinds[shown.action], completeness: 'complete' } as const);
  return recordResult(
    segment,
    call,
    {
      outcome: 'ok',
      content:
        'already applied (recovered): an earlier attempt was interrupted after this write; it was not written again.',
      write,
      isRecovered: true,
    },
    position,
    0,
    call.id,
  );
}

/** Ends the run because nobody can tell whether a write happened; the write is listed for a person. */
export async function endUncertain(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview | null,
  cause: UncertainWrite['cause'],
): Promise<RunOutcome> {
  const stop = await segment.move('fail', {
    failureClass: 'unknown',
    reason: 'interrupted_resume',
    errorClass: 'UncertainWrite',
    sentence:
      'A write was interrupted and its target shows neither the old nor the proposed state. Check the record by hand.',
    uncertainWrite: uncertainWrite(segment, call, preview, cause),
  });
  return stop ?? 'failed';
}

function uncertainWrite(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview | null,
  cause: UncertainWrite['cause'],
): UncertainWrite {
  return {
    callId: call.id,
    toolName: call.name,
    effect: segment.effectOf(call.name),
    target: preview?.target ?? null,
    cause,
    detail: { call, preview },
  };
}

/** What the target says about a write whose outcome is unknown. */
export type WriteEvidence = 'not_applied' | 'applied' | 'unknown';

/**
 * Compares the target as it is now with the stored footprint of a call. Only an
 * idempotent write may be recognised as applied: for the others an equal state
 * proves nothing about who made it.
 * Source: architecture.md §5a "Recovery of an interrupted approved call".
 */
export async function examineWrite(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview | null,
): Promise<WriteEvidence> {
  if (!preview?.footprint || segment.effectOf(call.name) !== 'idempotent_write') return 'unknown';
  const [current] = await segment.ports.tools.planTurn([call], segment.toolContext(), segment.signal);
  segment.signal.throwIfAborted();
  const now = current?.footprint?.before;
  if (now === undefined) return 'unknown';
  if (now === preview.footprint.before) return 'not_applied';
  return now === preview.footprint.after ? 'applied' : 'unknown';
}

/** A write whose process was killed at its deadline: the target itself is asked what happened. */
async function settleUnknownWrite(
  segment: Segment,
  call: ToolCall,
  preview: CallPreview | null,
  position: CallPosition,
  durationMs: number,
): Promise<RunOutcome | null> {
  const evidence = await examineWrite(segment, call, preview);
  if (evidence === 'unknown') return endUncertain(segment, call, preview, 'interrupted');
  if (evidence === 'applied' && preview) return recordRecoveredWrite(segment, call, preview, position);
  const content = `Error: ${call.name} took too long and was stopped. Nothing was written.`;
  return recordResult(segment, call, { outcome: 'failed', content, write: null }, position, durationMs, call.id);
}

import type { Message, TranscriptChunk } from '../domain/message.ts';
import { RECEIPT_FORMAT } from '../domain/receipt.ts';
import type { Decision, PendingTurn, RunRecord, RunRequest, RunResult, UncertainWrite } from '../domain/run.ts';
import type { RunChange } from '../domain/run-change.ts';
import { OtherFormError, SealBrokenError } from '../domain/sealed-faults.ts';
import type { Sealer } from '../system/seal.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

/** Associated data of each sealed column: a value moved to another column, run or revision does not open. */
export const place = {
  request: (runId: string) => `run_requests.sealed/${runId}`,
  pendingTurn: (runId: string, revision: number) => `pending_turns.sealed/${runId}/${revision}`,
  transcript: (runId: string, number: number) => `transcript_chunks.sealed/${runId}/${number}`,
  decision: (runId: string, number: number) => `decisions.sealed/${runId}/${number}`,
  receipt: (runId: string, decisionNumber: number) => `receipts.sealed/${runId}/${decisionNumber}`,
  result: (runId: string) => `results.sealed/${runId}`,
  uncertainWrite: (runId: string, callId: string) => `uncertain_writes.sealed/${runId}/${callId}`,
};

/**
 * The forms of the parts this release reads and writes; what each form added stands at its type in `domain/run.ts`,
 * `domain/message.ts` and `domain/receipt.ts`.
 */
const FORMS = {
  request: 1,
  pendingTurn: 2,
  transcript: 1,
  decision: 2,
  receipt: RECEIPT_FORMAT,
  result: 1,
  uncertainWrite: 1,
} as const;
type Part = keyof typeof FORMS;

/** Faults: `OtherFormError`. */
function proveForm(part: Part, where: string, form: unknown): void {
  if (form !== FORMS[part]) throw new OtherFormError(where, form, FORMS[part]);
}

const formOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;

/** Faults: `SealBrokenError`, `OtherFormError`. */
function openPart(sealer: Sealer, part: Part, where: string, sealed: Buffer): unknown {
  const value = sealer.open(where, sealed);
  proveForm(part, where, formOf(value));
  return value;
}

/** A chunk of a transcript; the form before the first was the list itself. */
function openChunk(sealer: Sealer, where: string, sealed: Buffer): Message[] {
  const value = sealer.open(where, sealed);
  if (Array.isArray(value)) return value as Message[];
  proveForm('transcript', where, formOf(value));
  return (value as TranscriptChunk).messages;
}

/** Writes the sealed parts of a change. `revision` is the run's preview revision after the change. */
export function writeSealedParts(
  statements: Statements,
  sealer: Sealer,
  runId: string,
  revision: number,
  change: RunChange,
): void {
  if (change.request === null) statements.get('delete from run_requests where run_id = ?').run(runId);
  if (change.request) {
    statements
      .get('insert into run_requests (run_id, sealed) values (?, ?)')
      .run(runId, sealer.seal(place.request(runId), change.request));
  }
  if (change.pendingTurn !== undefined) statements.get('delete from pending_turns where run_id = ?').run(runId);
  if (change.pendingTurn) {
    statements
      .get('insert into pending_turns (run_id, revision, sealed) values (?, ?, ?)')
      .run(runId, revision, sealer.seal(place.pendingTurn(runId, revision), change.pendingTurn));
  }
  if (change.transcript === null) statements.get('delete from transcript_chunks where run_id = ?').run(runId);
  if (change.transcript) appendTranscript(statements, sealer, runId, change.transcript);
  if (change.decision) {
    const { number } = change.decision;
    statements
      .get('insert into decisions (run_id, number, origin, sealed) values (?, ?, ?, ?)')
      .run(runId, number, 'person', sealer.seal(place.decision(runId, number), change.decision));
  }
  if (change.result) {
    statements
      .get('insert into results (run_id, sealed) values (?, ?)')
      .run(runId, sealer.seal(place.result(runId), change.result));
  }
}

function appendTranscript(statements: Statements, sealer: Sealer, runId: string, messages: Message[]): void {
  const last = statements.get('select max(number) from transcript_chunks where run_id = +?').pluck().get(runId) as
    number | null;
  const number = (last ?? 0) + 1;
  statements
    .get('insert into transcript_chunks (run_id, number, sealed) values (?, ?, ?)')
    .run(runId, number, sealer.seal(place.transcript(runId, number), { v: FORMS.transcript, messages }));
}

/** What is known of a write that somebody has to look at; kept as evidence, this release reads none of it. */
export const sealUncertainWrite = (sealer: Sealer, runId: string, { callId, detail }: UncertainWrite): Buffer =>
  sealer.seal(place.uncertainWrite(runId, callId), { v: FORMS.uncertainWrite, ...detail });

/** A part that cannot be opened is a fact for the rule, not a fault of the store (D-15). */
export function openOr<T, U>(broken: U, open: () => T): T | U {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBrokenError) return broken;
    throw error;
  }
}

const sealedOf = (statements: Statements, sql: string, ...key: (string | number)[]): Buffer | undefined =>
  statements
    .get(sql)
    .pluck()
    .get(...key) as Buffer | undefined;

/** Faults: `SealBrokenError`, as every reader below. */
export function readRequest(statements: Statements, sealer: Sealer, runId: string): RunRequest | null {
  const sealed = sealedOf(statements, 'select sealed from run_requests where run_id = ?', runId);
  return sealed ? (openPart(sealer, 'request', place.request(runId), sealed) as RunRequest) : null;
}

/** Opened under the revision the run row names, so that an older turn put back in its place does not open. */
export function readPendingTurn(
  statements: Statements,
  sealer: Sealer,
  run: Pick<RunRecord, 'id' | 'previewRevision'>,
): PendingTurn | null {
  const sealed = sealedOf(statements, 'select sealed from pending_turns where run_id = ?', run.id);
  return sealed
    ? (openPart(sealer, 'pendingTurn', place.pendingTurn(run.id, run.previewRevision), sealed) as PendingTurn)
    : null;
}

export function readDecision(statements: Statements, sealer: Sealer, runId: string, number: number): Decision | null {
  const sealed = sealedOf(statements, 'select sealed from decisions where run_id = ? and number = ?', runId, number);
  return sealed ? (openPart(sealer, 'decision', place.decision(runId, number), sealed) as Decision) : null;
}

export function readResult(statements: Statements, sealer: Sealer, runId: string): RunResult | null {
  const sealed = sealedOf(statements, 'select sealed from results where run_id = ?', runId);
  return sealed ? (openPart(sealer, 'result', place.result(runId), sealed) as RunResult) : null;
}

/** The receipt of a decision, byte for byte as it was signed, whatever form it has. */
export function readReceiptFile(
  statements: Statements,
  sealer: Sealer,
  runId: string,
  decisionNumber: number,
): string | null {
  const sql = 'select sealed from receipts where run_id = ? and decision_number = ?';
  const sealed = sealedOf(statements, sql, runId, decisionNumber);
  return sealed ? (sealer.open(place.receipt(runId, decisionNumber), sealed) as string) : null;
}

/** The same, of the form this release knows; the form stands in the receipt itself. */
export function readReceipt(
  statements: Statements,
  sealer: Sealer,
  runId: string,
  decisionNumber: number,
): string | null {
  const file = readReceiptFile(statements, sealer, runId, decisionNumber);
  if (file !== null) {
    const signed = parseStored(file) as { receipt?: { format?: unknown } } | null;
    proveForm('receipt', place.receipt(runId, decisionNumber), signed?.receipt?.format);
  }
  return file;
}

/** Whether a run has said or done anything yet. */
export const hasTranscript = (statements: Statements, runId: string): boolean =>
  statements.get('select 1 from transcript_chunks where run_id = ? limit 1').get(runId) !== undefined;

export function readTranscript(statements: Statements, sealer: Sealer, runId: string): Message[] {
  const chunks = statements
    .get('select number, sealed from transcript_chunks where run_id = +? order by number')
    .all(runId) as { number: number; sealed: Buffer }[];
  return chunks.flatMap((chunk) => openChunk(sealer, place.transcript(runId, chunk.number), chunk.sealed));
}

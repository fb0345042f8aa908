import type { ClaimInput } from '../domain/claim-rules.ts';
import { canonicalJson, fileFingerprint, sameDigest } from '../domain/digest.ts';
import { NotPlainJsonError } from '../domain/plain-json.ts';
import { receiptFile, receiptOf, signedText, type ReceiptFacts } from '../domain/receipt.ts';
import type { RunRecord } from '../domain/run.ts';
import { turnBinding } from '../domain/turn-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { loadConfiguration } from './configuration-store.ts';
import { loadOperator } from './operator-store.ts';
import { openOr, place, readDecision, readPendingTurn } from './sealed-parts.ts';
import { installationSigner } from './signed-heads.ts';
import type { Statements } from './statements.ts';

/**
 * Signs the decision that a run is claimed for, inside the claim's transaction: from then on it cannot be taken back. Each
 * decision is signed once, however often its run is claimed. Returns the fingerprint for the record; null when there is
 * nothing to sign: no decision, signed before, or a turn and decision that do not belong together, which its segment refuses.
 * Faults: `SealBrokenError` when the signing key cannot be opened.
 */
export function signReceipt(
  statements: Statements,
  sealer: Sealer,
  run: RunRecord,
  { nowMs, tools = [] }: ClaimInput,
): string | null {
  if (run.decisionNumber === 0 || hasReceipt(statements, run)) return null;
  const decided = openOr(null, () => readDecided(statements, sealer, run));
  if (!decided) return null;
  const signer = installationSigner(statements, sealer);
  const { publicKey } = signer;
  const loadPerson = (id: number) => (id > 0 ? loadOperator(statements, sealer, id) : null);
  const receipt = canonicalOrNull({
    run,
    ...decided,
    configuration: loadConfiguration(statements, sealer, run.configurationId),
    initiator: loadPerson(run.initiatorId),
    decider: loadPerson(decided.decision.decidedBy),
    tools,
    publicKey,
    nowMs,
  });
  if (receipt === null) return null;
  const file = receiptFile(publicKey, receipt, signer.sign(signedText(receipt)).toString('hex'));
  statements
    .get('insert into receipts (run_id, decision_number, sealed) values (?, ?, ?)')
    .run(run.id, run.decisionNumber, sealer.seal(place.receipt(run.id, run.decisionNumber), file));
  return fileFingerprint(file);
}

const hasReceipt = (statements: Statements, run: RunRecord): boolean =>
  statements.get('select 1 from receipts where run_id = ? and decision_number = ?').get(run.id, run.decisionNumber) !==
  undefined;

/** Null when a part is missing, or when they are not about each other. Faults: `SealBrokenError`. */
function readDecided(
  statements: Statements,
  sealer: Sealer,
  run: RunRecord,
): Pick<ReceiptFacts, 'turn' | 'decision'> | null {
  const turn = readPendingTurn(statements, sealer, run);
  const decision = readDecision(statements, sealer, run.id, run.decisionNumber);
  if (!turn || !decision || decision.previewRevision !== run.previewRevision) return null;
  return sameDigest(turnBinding(turn), decision.turnDigest) ? { turn, decision } : null;
}

/** A claim must not fail over what its run holds, or no run behind that one is ever claimed. */
function canonicalOrNull(facts: ReceiptFacts): string | null {
  try {
    return canonicalJson(receiptOf(facts));
  } catch (error) {
    if (error instanceof NotPlainJsonError) return null;
    throw error;
  }
}

import { fileFingerprint } from '../domain/digest.ts';
import type { Sealer } from '../system/seal.ts';
import type { ChainProblem } from './chain-problem.ts';
import { openOr, readReceiptFile } from './sealed-parts.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

/** Looks whether each receipt that an event names is there and is the one that was signed then. Returns how many are named. */
export function verifyReceipts(statements: Statements, sealer: Sealer, problems: ChainProblem[]): number {
  let count = 0;
  const rows = statements.database
    .prepare(
      `select run_id as runId, payload from run_events where kind = 'attempt' and instr(payload, '"receipt":') > 0
       order by run_id, sequence`,
    )
    .all() as { runId: string; payload: string }[];
  for (const { runId, payload } of rows) {
    const { decisionNumber, receipt } = (parseStored(payload) ?? {}) as Record<string, unknown>;
    if (typeof decisionNumber !== 'number') continue;
    count += 1;
    const file = openOr(null, () => readReceiptFile(statements, sealer, runId, decisionNumber));
    if (file === null || fileFingerprint(file) !== receipt) {
      problems.push({ where: `receipt ${decisionNumber} of run ${runId}`, problem: 'it is missing or was changed' });
    }
  }
  return count;
}

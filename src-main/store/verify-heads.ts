import { SealBrokenError } from '../domain/sealed-faults.ts';
import type { Sealer } from '../system/seal.ts';
import { signatureCheck } from '../system/signing-key.ts';
import { CHAIN_START } from './event-log.ts';
import { HEAD_KINDS, headProblem, headsAfter, installationSigner, lastHead } from './signed-heads.ts';
import type { Statements } from './statements.ts';
import type { ChainProblem } from './chain-problem.ts';

/**
 * Walks the signed heads: each follows the one before, fits the change it names and is signed by this installation, and
 * every decision and end since the first of them has one. Returns how many there are.
 */
export function verifyHeads(statements: Statements, sealer: Sealer, problems: ChainProblem[]): number {
  if (!lastHead(statements)) return 0;
  const publicKey = ownPublicKey(statements, sealer);
  if (publicKey === null) {
    problems.push({ where: 'signing key', problem: 'it is missing or was changed, so no signature can be checked' });
    return 0;
  }
  const isSigned = signatureCheck(publicKey);
  let count = 0;
  let expected = { number: 1, previous: CHAIN_START, afterSeq: 0 };
  for (const head of headsAfter(statements, 0)) {
    const problem = linkProblem(head, expected) ?? headProblem(head, isSigned);
    if (problem) problems.push({ where: `head ${head.number}`, problem });
    expected = { number: head.number + 1, previous: head.hash, afterSeq: head.change_seq };
    count += 1;
  }
  if (count !== headsDue(statements)) {
    problems.push({ where: 'heads', problem: `${headsDue(statements)} changes must have one, ${count} do` });
  }
  return count;
}

function linkProblem(
  head: { number: number; previous_hash: string; change_seq: number },
  expected: { number: number; previous: string; afterSeq: number },
): string | null {
  if (head.number !== expected.number) return `head ${expected.number} is missing before it`;
  if (head.previous_hash !== expected.previous) return 'it does not follow the head before it';
  return head.change_seq > expected.afterSeq ? null : 'it names a change before that of the head before it';
}

/** The stored public half, proven to belong to the sealed one; null = it does not, or there is none. */
function ownPublicKey(statements: Statements, sealer: Sealer): string | null {
  if (statements.get('select 1 from signing_key').get() === undefined) return null;
  try {
    return installationSigner(statements, sealer).publicKey;
  } catch (error) {
    // A pair that does not open, or whose halves do not fit, is a changed row.
    if (error instanceof SealBrokenError || (error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_INVALID_JWK')
      return null;
    throw error;
  }
}

/** Files from before there were heads have decisions without one; nothing after the first head may. */
const headsDue = (statements: Statements): number =>
  statements
    .get(
      `select count(*) from changes where seq >= (select min(change_seq) from heads)
         and kind in (${HEAD_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
    )
    .pluck()
    .get() as number;

import { gate } from './gate-mutants.ts';
import type { Mutant } from './mutant.ts';

const SIGN = 'src-main/store/receipts.ts';
const CHECK = 'scripts/verify-receipt.mjs';
const SIGNED = ['test/store/receipts.test.ts', 'test/runtime/run-receipt.test.ts'];
const CHECKED = ['test/tooling/verify-receipt.test.ts'];

/** What a receipt says and who gets one, and each thing that the check of it looks at. */
export const RECEIPT_MUTANTS: Mutant[] = [
  gate(
    'receipt: what is signed says what it is',
    'src-main/domain/receipt.ts',
    '`countersign receipt/1: ${receipt}`',
    'receipt',
    ...SIGNED,
  ),
  gate(
    'receipt: signed with the key of the installation',
    SIGN,
    'signer.sign(signedText(receipt))',
    'Buffer.alloc(64)',
    ...SIGNED,
  ),
  gate(
    'receipt: once for each decision',
    SIGN,
    ' || hasReceipt(statements, run)) return null;',
    ') return null;',
    ...SIGNED,
  ),
  gate(
    'receipt: of a turn and a decision about each other',
    SIGN,
    'return sameDigest(turnBinding(turn), decision.turnDigest) ?',
    'return sameDigest(decision.turnDigest, turnBinding(turn)) || decision.number > 0 ?',
    ...SIGNED,
  ),
  gate(
    'receipt: only the definition on the card',
    'src-main/domain/receipt.ts',
    'tool.name === name && isAsShown(turn, tool)',
    '(void isAsShown, tool.name === name)',
    ...SIGNED,
  ),
  gate(
    'receipt: no answers',
    'src-main/domain/receipt.ts',
    "answersDigest: digest('answers/1:', decision.answers) }",
    'answers: decision.answers }',
    ...SIGNED,
  ),
  gate(
    'receipt: claims are claims',
    'src-main/domain/receipt.ts',
    'claimed: trigger.claims',
    '...trigger.claims',
    ...SIGNED,
  ),
  gate(
    'receipt: named in the record',
    'src-main/domain/claim-rules.ts',
    '...(receipt === null ? {} : { decisionNumber: run.decisionNumber, receipt }),',
    '',
    ...SIGNED,
  ),
  gate(
    'receipt: compared with the record',
    'src-main/store/verify-receipts.ts',
    'if (file === null || fileFingerprint(file) !== receipt) {',
    'if (file === null) {',
    ...SIGNED,
  ),
  gate(
    'receipt: access',
    'src-main/runtime/run-receipt.ts',
    "if (!run || !mayActOnRun(actor, operator, run, 'agent:read')) return",
    "if (!run || !mayActOnRun(actor, operator, run, 'agent:approve')) return",
    ...SIGNED,
  ),
  gate(
    'receipt check: the whole file',
    CHECK,
    "if (`${canonical(file)}\\n` !== text) throw new NotHeld('Its bytes are not the canonical form of what it says.');",
    '',
    ...CHECKED,
  ),
  gate(
    'receipt check: the key of who asks',
    CHECK,
    "if (file.key !== key) throw new NotHeld('It names another key than the one given with --key.');",
    'key = file.key;',
    ...CHECKED,
  ),
  gate(
    'receipt check: the signature',
    CHECK,
    'if (!isSigned(`countersign receipt/1: ${canonical(receipt)}`, file.signature, key))',
    'if (!isSigned)',
    ...CHECKED,
  ),
  gate(
    'receipt check: lower case',
    CHECK,
    '!/^[0-9a-f]{128}$/.test(signature)',
    '!/^[0-9a-f]{128}$/i.test(signature)',
    ...CHECKED,
  ),
  gate('receipt check: calls', CHECK, "prove(turn.digest === bound, 'calls');", '', ...CHECKED),
  gate(
    'receipt check: previews',
    CHECK,
    "prove(turn.previewDigest === digest('preview/1:', previews), 'previews');",
    '',
    ...CHECKED,
  ),
  gate('receipt check: tools', CHECK, "shown === digest('tool/1:', definition)", 'shown', ...CHECKED),
];

import type { Mutant } from './mutant.ts';

/** A sealed column whose values would open anywhere: in another row, another revision, another column. */
const seal = (name: string, file: string, text: string, instead: string, ...tests: string[]): Mutant => ({
  name: `place of ${name}`,
  group: 'seal',
  file,
  text,
  instead,
  tests: ['test/store/sealed-columns.test.ts', 'test/store/sealed-parts.test.ts', ...tests],
});

const PARTS = 'src-main/store/sealed-parts.ts';

export const SEAL_MUTANTS: Mutant[] = [
  seal('run_requests', PARTS, '`run_requests.sealed/${runId}`', "(void runId, 'anywhere')"),
  seal(
    'pending_turns: run',
    PARTS,
    '`pending_turns.sealed/${runId}/${revision}`',
    '`pending_turns.sealed/${revision}`',
  ),
  seal(
    'pending_turns: revision',
    PARTS,
    '`pending_turns.sealed/${runId}/${revision}`',
    '`pending_turns.sealed/${runId}`',
  ),
  seal(
    'transcript_chunks: run',
    PARTS,
    '`transcript_chunks.sealed/${runId}/${number}`',
    '`transcript_chunks.sealed/${number}`',
  ),
  seal(
    'transcript_chunks: number',
    PARTS,
    '`transcript_chunks.sealed/${runId}/${number}`',
    '`transcript_chunks.sealed/${runId}`',
  ),
  seal('decisions: run', PARTS, '`decisions.sealed/${runId}/${number}`', '`decisions.sealed/${number}`'),
  seal('decisions: number', PARTS, '`decisions.sealed/${runId}/${number}`', '`decisions.sealed/${runId}`'),
  seal('receipts: run', PARTS, '`receipts.sealed/${runId}/${decisionNumber}`', '`receipts.sealed/${decisionNumber}`'),
  seal('receipts: number', PARTS, '`receipts.sealed/${runId}/${decisionNumber}`', '`receipts.sealed/${runId}`'),
  seal('results', PARTS, '`results.sealed/${runId}`', "(void runId, 'anywhere')"),
  seal('uncertain_writes', PARTS, '`uncertain_writes.sealed/${runId}/${callId}`', "(void [runId, callId], 'anywhere')"),
  seal(
    'operators: person',
    'src-main/store/operator-store.ts',
    '`operators.proof_sealed/${operatorId}/${number}`',
    '`operators.proof_sealed/${number}${String(operatorId).slice(0, 0)}`',
  ),
  seal(
    'operators: number',
    'src-main/store/operator-store.ts',
    '`operators.proof_sealed/${operatorId}/${number}`',
    '`operators.proof_sealed/${operatorId}${String(number).slice(0, 0)}`',
    'test/store/people.test.ts',
  ),
  seal('configurations: row', 'src-main/store/configuration-store.ts', '${id}/${address}`', '${address}`'),
  seal(
    'configurations: address',
    'src-main/store/configuration-store.ts',
    '${id}/${address}`',
    '${id}${address.slice(0, 0)}`',
  ),
];

import { CASE_MUTANTS } from './case-mutants.ts';
import { GATE_MUTANTS } from './gate-mutants.ts';
import { GUARD_MUTANTS } from './guard-mutants.ts';
import type { Mutant } from './mutant.ts';
import { RECEIPT_MUTANTS } from './receipt-mutants.ts';
import { SEAL_MUTANTS } from './seal-mutants.ts';

export const MUTANTS: Mutant[] = [
  ...GATE_MUTANTS,
  ...RECEIPT_MUTANTS,
  ...GUARD_MUTANTS,
  ...SEAL_MUTANTS,
  ...CASE_MUTANTS,
];

/** One place where the record does not hold together. */
export interface ChainProblem {
  where: string;
  problem: string;
}

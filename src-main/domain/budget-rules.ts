import type { ConfigurationSettings, Prices, SpendLimit } from './configuration.ts';
import type { RunRecord, Usage } from './run.ts';

/** What was used, by a run or by a configuration in a day. Cost in millionths; null = not known. */
export interface Spend {
  tokens: number;
  costMicros: number | null;
}

export const spendOf = ({ inputTokens, outputTokens, costMicros }: Usage): Spend => ({
  tokens: inputTokens + outputTokens,
  costMicros,
});

/** A day of the clock that all machines share: whole days since 1970, UTC. */
export const dayOf = (nowMs: number): number => Math.floor(nowMs / 86_400_000);

/**
 * Whether a budget is used up, so that no further question may be asked. What a question
 * will cost is known only after it was answered, so the last one may go beyond. A cost
 * that is not known counts as used up: a limit that cannot be kept is not passed silently.
 */
export function isSpent({ tokens, costMicros }: SpendLimit, used: Spend): boolean {
  if (tokens !== null && used.tokens >= tokens) return true;
  return costMicros !== null && (used.costMicros === null || used.costMicros >= costMicros);
}

/** Whether a configuration limits what its runs use in a day, so that the day has to be looked up. */
export const hasDayLimit = ({ budget }: Pick<ConfigurationSettings, 'budget'>): boolean =>
  budget.perDay.tokens !== null || budget.perDay.costMicros !== null;

/**
 * Which budget denies the next question, or null. `today` is what all runs of the
 * configuration used since midnight UTC. A run that has asked nothing yet has spent nothing.
 * Source: runtime.md §13, D-18.
 */
export function budgetDenial(
  { budget }: Pick<ConfigurationSettings, 'budget'>,
  run: Pick<RunRecord, 'inputTokens' | 'outputTokens' | 'costMicros' | 'unpricedAnswers' | 'rounds'>,
  today: Spend,
): 'perRun' | 'perDay' | null {
  const own: Spend = run.rounds === 0 ? NOTHING : spentBy(run);
  if (isSpent(budget.perRun, own)) return 'perRun';
  return isSpent(budget.perDay, today) ? 'perDay' : null;
}

/** The cost of a run is not known when that of a single answer is not, as that of a day. */
const spentBy = (run: Usage & Pick<RunRecord, 'unpricedAnswers'>): Spend => {
  const spent = spendOf(run);
  return run.unpricedAnswers > 0 ? { ...spent, costMicros: null } : spent;
};

export const NOTHING: Spend = { tokens: 0, costMicros: 0 };

/** What an answer cost: as the provider said, else by the configured prices, else not known. Never 0 for "not known". */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (usage.costMicros !== null || !prices) return usage.costMicros;
  const micros = usage.inputTokens * prices.inputMicros + usage.outputTokens * prices.outputMicros;
  return Math.ceil(micros / 1_000_000);
}

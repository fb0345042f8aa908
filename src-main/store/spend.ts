import { dayOf, spendOf, type Spend } from '../domain/budget-rules.ts';
import type { RunRecord, Usage } from '../domain/run.ts';
import type { Statements } from './statements.ts';

/** Adds an answer to the day's sum of its configuration, charged to whoever started the run (D-18). */
export function addSpend(statements: Statements, run: RunRecord, usage: Usage, nowMs: number): void {
  const { tokens, costMicros } = spendOf(usage);
  statements
    .get(
      `insert into spend (configuration_id, day, initiator_id, tokens, cost_micros, unpriced)
       values (:configuration, :day, :initiator, :tokens, :cost, :unpriced)
       on conflict (configuration_id, day, initiator_id) do update set tokens = tokens + excluded.tokens,
         cost_micros = cost_micros + excluded.cost_micros, unpriced = unpriced + excluded.unpriced`,
    )
    .run({
      configuration: run.configurationId,
      day: dayOf(nowMs),
      initiator: run.initiatorId,
      tokens,
      cost: costMicros ?? 0,
      unpriced: costMicros === null ? 1 : 0,
    });
}

/** What all runs of a configuration used on a day. The cost is not known when that of a single answer is not. */
export function readSpend(statements: Statements, configurationId: string, day: number): Spend {
  const row = statements
    .get(
      `select coalesce(sum(tokens), 0) as tokens, coalesce(sum(cost_micros), 0) as cost, coalesce(sum(unpriced), 0) as unpriced
       from spend where configuration_id = :configuration and day = :day`,
    )
    .get({ configuration: configurationId, day }) as { tokens: number; cost: number; unpriced: number };
  return { tokens: row.tokens, costMicros: row.unpriced > 0 ? null : row.cost };
}

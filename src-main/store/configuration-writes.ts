import { accepted } from '../../src-shared/refusals.ts';
import { operatorIdOf } from '../domain/actor.ts';
import { connectConfiguration, type ConnectFacts, type ConnectInput } from '../domain/connect-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { findConfiguration, hasApiKey, loadConfiguration, saveConfiguration } from './configuration-store.ts';
import { loadOperator } from './operator-store.ts';
import type { RunStore } from './run-store.ts';
import type { Statements } from './statements.ts';
import type { WriteQueue } from './write-queue.ts';

/** The writes of configurations, each one transaction. `onSaved` is called after its commit. */
export function createConfigurationWrites(
  statements: Statements,
  sealer: Sealer,
  queue: WriteQueue,
  onSaved: () => void,
): Pick<RunStore, 'saveConfiguration' | 'connectConfiguration'> {
  return {
    async saveConfiguration(configuration, apiKey, nowMs) {
      const result = await queue.run(() => {
        saveConfiguration(statements, sealer, configuration, apiKey, nowMs);
        return accepted(null);
      });
      if (result.ok) onSaved();
      return result;
    },

    async connectConfiguration(input, nowMs) {
      const result = await queue.run(() => {
        const judged = connectConfiguration(connectFacts(statements, sealer, input), input);
        if (!judged.ok) return judged;
        saveConfiguration(statements, sealer, judged.value.configuration, judged.value.apiKey, nowMs);
        return accepted(judged.value.configuration);
      });
      if (result.ok) onSaved();
      return result;
    },
  };
}

/** Read inside the transaction: of two who take one name, one gets it. */
function connectFacts(statements: Statements, sealer: Sealer, input: ConnectInput): ConnectFacts {
  const { configurationId, identifier } = input;
  const operatorId = operatorIdOf(input.actor);
  return {
    operator: operatorId > 0 ? loadOperator(statements, sealer, operatorId) : null,
    existing: configurationId === null ? null : loadConfiguration(statements, sealer, configurationId),
    hasKey: configurationId !== null && hasApiKey(statements, configurationId),
    nameOwnerId: findConfiguration(statements, sealer, identifier)?.id ?? null,
  };
}

import { accepted } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import type { Configuration } from '../domain/configuration.ts';
import { changedSettings, configureConfiguration } from '../domain/configure-rules.ts';
import { connectConfiguration, type ConnectFacts, type ConnectInput } from '../domain/connect-rules.ts';
import type { Sealer } from '../system/seal.ts';
import {
  findConfiguration,
  hasApiKey,
  listConfigurations,
  loadConfiguration,
  saveConfiguration,
} from './configuration-store.ts';
import { appendInstallationEvent } from './installation-log.ts';
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
): Pick<RunStore, 'saveConfiguration' | 'connectConfiguration' | 'configureConfiguration'> {
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
        const facts = configurationFacts(statements, sealer, input);
        const judged = connectConfiguration(facts, input);
        if (!judged.ok) return judged;
        const { configuration, apiKey } = judged.value;
        const changed = changedSettings(facts.existing, configuration);
        saveConfiguration(statements, sealer, configuration, apiKey, nowMs);
        recordConfigured(
          statements,
          input.actor,
          configuration,
          apiKey === undefined ? changed : [...changed, 'key'],
          nowMs,
        );
        return accepted(configuration);
      });
      if (result.ok) onSaved();
      return result;
    },

    async configureConfiguration(input, nowMs) {
      const result = await queue.run(() => {
        const facts = {
          ...configurationFacts(statements, sealer, input),
          identifiers: listConfigurations(statements, sealer).map(({ identifier }) => identifier),
        };
        const judged = configureConfiguration(facts, input);
        if (!judged.ok || judged.value.changed.length === 0) return judged;
        const { configuration, changed } = judged.value;
        saveConfiguration(statements, sealer, configuration, undefined, nowMs);
        recordConfigured(statements, input.actor, configuration, changed, nowMs);
        return judged;
      });
      if (result.ok && result.value.changed.length > 0) onSaved();
      return result;
    },
  };
}

/** Read inside the transaction: of two who take one name, one gets it. */
function configurationFacts(
  statements: Statements,
  sealer: Sealer,
  input: Pick<ConnectInput, 'actor' | 'configurationId' | 'identifier'>,
): ConnectFacts {
  const { configurationId, identifier } = input;
  const operatorId = operatorIdOf(input.actor);
  return {
    operator: operatorId > 0 ? loadOperator(statements, sealer, operatorId) : null,
    existing: configurationId === null ? null : loadConfiguration(statements, sealer, configurationId),
    hasKey: configurationId !== null && hasApiKey(statements, configurationId),
    nameOwnerId: findConfiguration(statements, sealer, identifier)?.id ?? null,
  };
}

/** Keeps in the record who changed which settings; their values stay with the configuration. */
function recordConfigured(
  statements: Statements,
  actor: Actor,
  { id, identifier }: Configuration,
  changed: string[],
  nowMs: number,
): void {
  const payload = { operatorId: operatorIdOf(actor), configurationId: id, configuration: identifier, changed };
  appendInstallationEvent(statements, 'configured', payload, nowMs);
}

import type { Configuration } from './configuration.ts';
import type { JsonObject } from './json-value.ts';

/**
 * What somebody may be told of a configuration who is to help with it: its rules, and
 * of addresses the origin, of places the name, of the prompt the length.
 */
export function configurationFacts({ identifier, isActive, settings }: Configuration): JsonObject {
  const { model, systemPrompt, databases, workspaces, ...rules } = settings;
  return {
    identifier,
    isActive,
    ...rules,
    model: model.kind === 'scripted' ? { kind: model.kind } : { ...model, baseUrl: originOf(model.baseUrl) },
    systemPromptLength: systemPrompt.length,
    databases: databases.map(({ name }) => name),
    workspaces: workspaces.map(({ name }) => name),
  };
}

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : 'not an address');

import { Ajv2020 } from 'ajv/dist/2020.js';
import { accepted, refused, type FieldProblem, type Result } from '../../src-shared/refusals.ts';
import type { Actor, Operator } from './actor.ts';
import { ConfigurationSettings, type Configuration } from './configuration.ts';
import { administratorBar, endpointProblems, nameProblems, placeProblems, type PlaceFact } from './connect-rules.ts';
import { canonicalJson } from './digest.ts';
import { isPlainJson } from './plain-json.ts';

/** A configuration as a person wants it, whole. */
export interface ConfigureInput {
  actor: Actor;
  /** Null = a new one, under `newId`. */
  configurationId: string | null;
  newId: string;
  identifier: string;
  isActive: boolean;
  /** Judged here; may come from a file. */
  settings: unknown;
  databases: PlaceFact[];
  workspaces: PlaceFact[];
}

/** What is stored at this moment. */
export interface ConfigureFacts {
  operator: Operator | null;
  existing: Configuration | null;
  hasKey: boolean;
  /** Whose name the wanted one is; null = nobody's. */
  nameOwnerId: string | null;
  /** Names of all configurations. */
  identifiers: string[];
}

export interface Configured {
  configuration: Configuration;
  /** Names of the settings that are not as before; `created` for a new one. */
  changed: string[];
}

// `useDefaults` would hide what a file leaves out; the caller says what it stands for.
const isSettings = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true }).compile(ConfigurationSettings);

/**
 * Changes a configuration, or makes one of a whole description of it. The key is never part
 * of it; a stored one belongs to its address and stays there.
 * Refuses: operator_unavailable, not_administrator, configuration_gone, invalid_request.
 */
export function configureConfiguration(facts: ConfigureFacts, input: ConfigureInput): Result<Configured> {
  const barred = administratorBar(facts.operator, input.actor);
  if (barred) return barred;
  const { existing } = facts;
  if (input.configurationId !== null && !existing) return refused({ kind: 'configuration_gone', configuration: '' });
  const { settings } = input;
  if (!isSettings(settings)) return refused({ kind: 'invalid_request', problems: shapeProblems() });
  // What cannot be digested could be neither compared with a later change nor signed in a receipt.
  const unstorable = (Object.keys(settings) as (keyof ConfigurationSettings)[]).filter(
    (name) => !isPlainJson(settings[name]),
  );
  if (unstorable.length > 0)
    return refused({ kind: 'invalid_request', problems: unstorable.map((field) => ({ field, problem: 'not_valid' })) });
  const problems = [...nameProblems(facts, input), ...placesOf(input), ...meaningProblems(facts, input, settings)];
  if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
  const configuration = {
    id: existing?.id ?? input.newId,
    identifier: input.identifier,
    isActive: input.isActive,
    settings,
  };
  // A scripted model asks nobody: a key that is stored goes with the address it was for.
  const losesKey = facts.hasKey && settings.model.kind !== 'openai_compatible';
  return accepted({
    configuration,
    changed: [...changedSettings(existing, configuration), ...(losesKey ? ['key'] : [])],
  });
}

/** One entry for each field that has not the shape of a setting. */
function shapeProblems(): FieldProblem[] {
  const fields = (isSettings.errors ?? []).map(({ instancePath, params }) => {
    const missing = 'missingProperty' in params ? `/${String(params.missingProperty)}` : '';
    return `${instancePath}${missing}`.slice(1).replaceAll('/', '.') || 'settings';
  });
  return [...new Set(fields)].map((field) => ({ field, problem: 'not_valid' }));
}

const placesOf = ({ databases, workspaces }: ConfigureInput): FieldProblem[] => [
  ...placeProblems('databases', databases),
  ...placeProblems('workspaces', workspaces),
];

function meaningProblems(
  { existing, hasKey, identifiers }: ConfigureFacts,
  { identifier }: ConfigureInput,
  { model, budget, prices, fallbacks }: ConfigurationSettings,
): FieldProblem[] {
  const problems: FieldProblem[] =
    model.kind === 'openai_compatible' ? endpointProblems({ ...model, key: { kind: 'keep' } }, existing, hasKey) : [];
  const limitsCost = budget.perRun.costMicros !== null || budget.perDay.costMicros !== null;
  // No protocol we speak says what an answer cost: such a limit would end every run after its first answer.
  if (limitsCost && !prices) problems.push({ field: 'prices', problem: 'missing' });
  fallbacks.forEach((name, index) => {
    if (name === identifier || !identifiers.includes(name))
      problems.push({ field: `fallbacks.${index}`, problem: 'not_valid' });
  });
  return problems;
}

/** What is not as it was, by the names of the settings. */
export function changedSettings(before: Configuration | null, after: Configuration): string[] {
  if (!before) return ['created'];
  const names = Object.keys(after.settings) as (keyof ConfigurationSettings)[];
  const same = (name: keyof ConfigurationSettings): boolean =>
    canonicalJson(before.settings[name]) === canonicalJson(after.settings[name]);
  return [
    ...(before.identifier === after.identifier ? [] : ['identifier']),
    ...(before.isActive === after.isActive ? [] : ['isActive']),
    ...names.filter((name) => !same(name)),
  ];
}

import { accepted, refused, type FieldProblem, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor, type Operator } from './actor.ts';
import { configured, type Configuration, type ModelSettings } from './configuration.ts';

/** `keep` = the stored one stays; `new` = this one, for the address entered with it. */
export type KeyChange = { kind: 'keep' } | { kind: 'none' } | { kind: 'new'; key: string };

/** A named place and what the file system says about it; the rule itself looks at nothing. */
export interface PlaceFact {
  name: string;
  path: string;
  isAbsolute: boolean;
  /** A file for a database, a folder for a workspace. */
  exists: boolean;
  /** Belongs to the console itself, or holds something that does. */
  isReserved: boolean;
}

/** Where a model is and as whom it is asked. */
export interface EndpointInput {
  baseUrl: string;
  modelId: string;
  key: KeyChange;
}

export interface ConnectInput extends EndpointInput {
  actor: Actor;
  /** Null = a new one, under `newId`. */
  configurationId: string | null;
  newId: string;
  identifier: string;
  /** Null = as it is, or as a new one has it. */
  systemPrompt: string | null;
  databases: PlaceFact[];
  workspaces: PlaceFact[];
}

/** What is stored at this moment. */
export interface ConnectFacts {
  operator: Operator | null;
  existing: Configuration | null;
  hasKey: boolean;
  /** Whose name the wanted one is; null = nobody's. */
  nameOwnerId: string | null;
}

/** What to save. `apiKey` undefined = the stored one stays, null = none. */
export interface Connected {
  configuration: Configuration;
  apiKey: string | null | undefined;
}

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;
const MAX_PROMPT_LENGTH = 100_000;

/**
 * Connects a model under a new name, or changes one by its id. Rules that were set
 * for it (second person, privacy, tools, switched off) stay as they are. A stored key
 * belongs to the address it was entered for: with another address it must be entered
 * again or be given up, never lost silently and never sent elsewhere.
 * Refuses: operator_unavailable, not_administrator, configuration_gone, invalid_request.
 */
export function connectConfiguration(facts: ConnectFacts, input: ConnectInput): Result<Connected> {
  const barred = administratorBar(facts.operator, input.actor);
  if (barred) return barred;
  const { existing } = facts;
  if (input.configurationId !== null && !existing) return refused({ kind: 'configuration_gone', configuration: '' });
  const problems = connectProblems(facts, input);
  if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
  const wanted = {
    model: modelOf(input, existing),
    ...(input.systemPrompt === null ? {} : { systemPrompt: input.systemPrompt.toWellFormed() }),
    databases: input.databases.map(({ name, path }) => ({ name, path })),
    workspaces: input.workspaces.map(({ name, path }) => ({ name, path })),
  };
  const configuration = configured(existing, input.identifier, wanted, input.newId);
  return accepted({ configuration, apiKey: storedKey(input.key) });
}

/** Everything that is wrong with what was entered, one entry per field. */
export function connectProblems(
  facts: Omit<ConnectFacts, 'operator'>,
  input: Omit<ConnectInput, 'actor' | 'newId'>,
): FieldProblem[] {
  return [
    ...nameProblems(facts, input),
    ...endpointProblems(input, facts.existing, facts.hasKey),
    ...promptProblems(input),
    ...placeProblems('databases', input.databases),
    ...placeProblems('workspaces', input.workspaces),
  ];
}

/** Who may not change configurations, and why; null = this person may. Source: the live row, never the session. */
export function administratorBar(operator: Operator | null, actor: Actor): ReturnType<typeof refused> | null {
  if (!operator?.isEnabled || operator.id !== operatorIdOf(actor)) return refused({ kind: 'operator_unavailable' });
  return operator.isAdmin ? null : refused({ kind: 'not_administrator' });
}

/** The model as it is asked. How long its answers may take stays as it was set. */
export function modelOf(input: EndpointInput, existing: Configuration | null): ModelSettings {
  const before = existing?.settings.model;
  return {
    kind: 'openai_compatible',
    baseUrl: input.baseUrl.trim(),
    modelId: input.modelId.trim().toWellFormed(),
    ...(before?.kind === 'openai_compatible' && before.timeoutMs ? { timeoutMs: before.timeoutMs } : {}),
  };
}

/** What is wrong with address, model and key. `hasKey` = a key is stored with `existing`. */
export function endpointProblems(
  input: EndpointInput,
  existing: Configuration | null,
  hasKey: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const url = URL.canParse(input.baseUrl.trim()) ? new URL(input.baseUrl.trim()) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    problems.push({ field: 'baseUrl', problem: 'not_http_address' });
  else if (url.username || url.password) problems.push({ field: 'baseUrl', problem: 'address_holds_key' });
  if (input.modelId.trim() === '') problems.push({ field: 'modelId', problem: 'missing' });
  if (input.key.kind === 'new' && input.key.key.trim() === '') problems.push({ field: 'key', problem: 'missing' });
  if (input.key.kind === 'keep' && hasKey && !isSameAddress(input, existing))
    problems.push({ field: 'key', problem: 'key_bound_to_address' });
  return problems;
}

function isSameAddress({ baseUrl }: EndpointInput, existing: Configuration | null): boolean {
  const model = existing?.settings.model;
  return model?.kind === 'openai_compatible' && model.baseUrl === baseUrl.trim();
}

function storedKey(key: KeyChange): string | null | undefined {
  if (key.kind === 'keep') return undefined;
  return key.kind === 'none' ? null : key.key.trim();
}

export function nameProblems(
  { nameOwnerId, existing }: Pick<ConnectFacts, 'nameOwnerId' | 'existing'>,
  { identifier }: Pick<ConnectInput, 'identifier'>,
): FieldProblem[] {
  if (identifier === '') return [{ field: 'identifier', problem: 'missing' }];
  if (!NAME.test(identifier)) return [{ field: 'identifier', problem: 'bad_name' }];
  const isTaken = nameOwnerId !== null && nameOwnerId !== existing?.id;
  return isTaken ? [{ field: 'identifier', problem: 'name_taken' }] : [];
}

function promptProblems({ systemPrompt }: Pick<ConnectInput, 'systemPrompt'>): FieldProblem[] {
  const isLong = systemPrompt !== null && systemPrompt.length > MAX_PROMPT_LENGTH;
  return isLong ? [{ field: 'systemPrompt', problem: 'too_long', limit: MAX_PROMPT_LENGTH }] : [];
}

/** One entry per field: its first problem is the one to mend first. */
export function placeProblems(list: 'databases' | 'workspaces', places: PlaceFact[]): FieldProblem[] {
  return places.flatMap((place, index) => {
    const found: FieldProblem[] = [];
    const isRepeated = places.findIndex(({ name }) => name === place.name) < index;
    const name = nameProblem(place.name, isRepeated);
    if (name) found.push({ field: `${list}.${index}.name`, problem: name });
    const path = pathProblem(list, place);
    if (path) found.push({ field: `${list}.${index}.path`, problem: path });
    return found;
  });
}

function nameProblem(name: string, isRepeated: boolean): FieldProblem['problem'] | null {
  if (name === '') return 'missing';
  if (!NAME.test(name)) return 'bad_name';
  return isRepeated ? 'named_twice' : null;
}

function pathProblem(list: 'databases' | 'workspaces', place: PlaceFact): FieldProblem['problem'] | null {
  if (place.path === '') return 'missing';
  if (!place.isAbsolute) return 'not_absolute';
  if (place.isReserved) return 'reserved_path';
  if (place.exists) return null;
  return list === 'databases' ? 'no_such_file' : 'no_such_folder';
}

import { resolve } from 'node:path';
import type { FieldProblem } from '../../src-shared/refusals.ts';
import { lookAt, openConfigurations } from '../compose.ts';
import { withheldGroups } from '../domain/trust-zone.ts';
import { UNKNOWN_WINDOW } from '../domain/context-fit.ts';
import { connectProblems, type KeyChange } from '../domain/connect-rules.ts';
import type { ConnectRequest, NamedPlace } from '../runtime/configurations.ts';
import { environmentVariable } from '../system/environment.ts';
import { EXIT, onlyPositional, PREFIX, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { problemSentence } from './refusal-sentences.ts';
import { refuse } from './run-commands.ts';

export const connect: Command = {
  usage:
    'NAME --base-url URL --model MODEL [--key-from VARIABLE] [--database NAME=FILE]... [--workspace NAME=DIR]... [--prompt TEXT]',
  summary: 'Connect a model that speaks the OpenAI protocol, and say what its runs may work on',
  options: {
    'base-url': { type: 'string' },
    model: { type: 'string' },
    'key-from': { type: 'string' },
    database: { type: 'string', multiple: true },
    workspace: { type: 'string', multiple: true },
    prompt: { type: 'string' },
  },
  async run(invocation) {
    const wanted = request(invocation);
    refuseWrongUsage(invocation, wanted);
    const opened = invocation.open('create');
    const existing = await opened.installation.store.findConfiguration(wanted.identifier);
    const connected = await openConfigurations(opened, null).connect(opened.actor, {
      ...wanted,
      configurationId: existing?.id ?? null,
    });
    if (!connected.ok) {
      if (connected.refusal.kind === 'invalid_request') throw usageError(connected.refusal.problems, wanted);
      return refuse(invocation, connected.refusal);
    }
    const { configuration } = connected.value;
    const isKeyNew = wanted.key.kind === 'new';
    invocation.answer(configuration, [
      `${existing ? 'Changed' : 'Connected'} ${wanted.identifier}: ${wanted.modelId} at ${wanted.baseUrl}${isKeyNew ? ', key stored encrypted' : ''}.`,
      ...(withheldGroups(configuration.settings).length > 0
        ? [
            'The model runs outside this machine and its network: runs get no tools for databases and folders.',
            `If it may have their content: ${PREFIX} configuration ${wanted.identifier} --set trustZone=externalEu`,
          ]
        : []),
      ...(configuration.settings.contextWindow === null
        ? [
            `It is thought to take ${UNKNOWN_WINDOW} tokens. If it takes more: ${PREFIX} configuration ${wanted.identifier} --set contextWindow=N`,
          ]
        : []),
      `Try: ${PREFIX} run "Say hello" --configuration ${wanted.identifier}`,
    ]);
    return EXIT.ok;
  },
};

function request(invocation: Invocation): ConnectRequest {
  const identifier = onlyPositional(invocation, 'NAME');
  return {
    configurationId: null,
    identifier,
    baseUrl: required(invocation, 'base-url'),
    modelId: required(invocation, 'model'),
    key: keyFromEnvironment(invocation),
    systemPrompt: textOption(invocation, 'prompt') ?? null,
    databases: namedPaths(invocation, 'database', './site.db'),
    workspaces: namedPaths(invocation, 'workspace', './site'),
  };
}

function required(invocation: Invocation, name: string): string {
  const value = textOption(invocation, name);
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

/** The key comes by name of an environment variable: a key among the arguments would stand in the process list and the shell history. */
function keyFromEnvironment(invocation: Invocation): KeyChange {
  const variable = textOption(invocation, 'key-from');
  if (variable === undefined) return { kind: 'keep' };
  const key = environmentVariable(variable)?.trim();
  if (!key) throw new UsageError(`The environment variable ${variable} is empty or not set.`);
  return { kind: 'new', key };
}

function namedPaths(invocation: Invocation, option: string, example: string): NamedPlace[] {
  const given = invocation.options[option];
  return (Array.isArray(given) ? given : []).map((text) => {
    const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (!name || !path) throw new UsageError(`--${option} is NAME=PATH, e.g. site=${example}.`);
    return { name, path: resolve(path) };
  });
}

/** The same rules as on every other way in, asked before anything is opened or created. */
function refuseWrongUsage({ databasePath }: Invocation, wanted: ConnectRequest): void {
  const problems = connectProblems(
    { existing: null, hasKey: false, nameOwnerId: null },
    {
      ...wanted,
      databases: wanted.databases.map((place) => lookAt(databasePath, place, 'file')),
      workspaces: wanted.workspaces.map((place) => lookAt(databasePath, place, 'folder')),
    },
  );
  if (problems.length > 0) throw usageError(problems, wanted);
}

function usageError(problems: FieldProblem[], wanted: ConnectRequest): UsageError {
  return new UsageError(problems.map((problem) => usageSentence(problem, wanted)).join(' '));
}

/** What a person at a terminal has to type instead. */
function usageSentence(found: FieldProblem, wanted: ConnectRequest): string {
  const { field, problem } = found;
  const [list, index] = field.split('.');
  const place = list === 'databases' || list === 'workspaces' ? wanted[list][Number(index)] : undefined;
  const option = list === 'databases' ? '--database' : '--workspace';
  if (place && (problem === 'no_such_file' || problem === 'no_such_folder'))
    return `There is no ${problem === 'no_such_file' ? 'file' : 'folder'} ${place.path}.`;
  if (place) return problemSentence({ ...found, field: `${option} ${place.name}` });
  if (field === 'identifier' && problem === 'bad_name') return problemSentence({ ...found, field: 'NAME' });
  if (problem === 'not_http_address') return problemSentence({ ...found, field: '--base-url' });
  if (problem === 'address_holds_key') return 'Give the key with --key-from, not inside the address.';
  if (problem === 'key_bound_to_address')
    return `${problemSentence(found)} Give it with --key-from VARIABLE, or connect the new address under another name.`;
  return problemSentence(found);
}

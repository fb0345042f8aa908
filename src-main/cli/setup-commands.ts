import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { buildSample, restoreKey, type Console } from '../compose.ts';
import { DEFAULT_SETTINGS, type Configuration, type ConfigurationSettings } from '../domain/configuration.ts';
import { environmentVariable } from '../system/environment.ts';
import { recoveryCode } from '../system/key-file.ts';
import { installationPaths } from '../system/paths.ts';
import { EXIT, onlyPositional, PREFIX, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';

/** A configuration made new or connected again: rules that were set for it before (second person, privacy, tools) stay. */
function configured(
  existing: Configuration | null,
  identifier: string,
  wanted: Partial<ConfigurationSettings> & Pick<ConfigurationSettings, 'model'>,
  newId: () => string,
): Configuration {
  return {
    id: existing?.id ?? newId(),
    identifier,
    isActive: existing?.isActive ?? true,
    settings: { ...DEFAULT_SETTINGS, ...existing?.settings, ...wanted },
  };
}

/** Builds the sample site in `folder` and the configuration that works on it with the embedded scripted model. */
export async function addSample(
  opened: Console,
  callerUrl: string,
  folder: string,
  name: string,
): Promise<Configuration> {
  const site = buildSample(callerUrl, folder);
  const existing = await opened.installation.store.findConfiguration(name);
  const configuration = configured(existing, name, site, opened.newId);
  const saved = await opened.installation.store.saveConfiguration(configuration, null, opened.clock.nowMs());
  if (!saved.ok) throw new Error('The database stayed locked by another process. Nothing was saved; try again.');
  return configuration;
}

export const sample: Command = {
  usage: 'DIR',
  summary: 'Build the sample site in DIR and the configuration "sample" that works on it offline',
  options: {},
  async run(invocation) {
    const folder = resolve(onlyPositional(invocation, 'DIR'));
    const configuration = await addSample(invocation.open('create'), invocation.callerUrl, folder, 'sample');
    invocation.answer(configuration, [
      `The sample site is in ${folder}; the configuration is called ${configuration.identifier}.`,
      `Try: ${PREFIX} run "Check the meta description of page 42" --configuration sample`,
    ]);
    return EXIT.ok;
  },
};

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
    const identifier = onlyPositional(invocation, 'NAME');
    if (!/^[a-z][a-z0-9_-]{0,62}$/.test(identifier))
      throw new UsageError('NAME starts with a small letter and holds small letters, digits, - and _.');
    const prompt = textOption(invocation, 'prompt');
    const wanted = {
      model: {
        kind: 'openai_compatible' as const,
        baseUrl: httpUrl(invocation),
        modelId: required(invocation, 'model'),
      },
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      databases: namedPaths(invocation, 'database', 'file'),
      workspaces: namedPaths(invocation, 'workspace', 'folder'),
    };
    const apiKey = keyFromEnvironment(invocation);
    const opened = invocation.open('create');
    const existing = await opened.installation.store.findConfiguration(identifier);
    const configuration = configured(existing, identifier, wanted, opened.newId);
    const saved = await opened.installation.store.saveConfiguration(configuration, apiKey, opened.clock.nowMs());
    if (!saved.ok) return refuse(invocation, saved.refusal);
    invocation.answer(configuration, [
      `${existing ? 'Changed' : 'Connected'} ${identifier}: ${required(invocation, 'model')} at ${httpUrl(invocation)}${apiKey ? ', key stored encrypted' : ''}.`,
      `Try: ${PREFIX} run "Say hello" --configuration ${identifier}`,
    ]);
    return EXIT.ok;
  },
};

function required(invocation: Invocation, name: string): string {
  const value = textOption(invocation, name);
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

function httpUrl(invocation: Invocation): string {
  const text = required(invocation, 'base-url');
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
  if (!isHttp) throw new UsageError('--base-url must be an http or https address, e.g. http://127.0.0.1:11434/v1');
  if (new URL(text).username || new URL(text).password)
    throw new UsageError('Give the key with --key-from, not inside the address.');
  return text;
}

/** The key comes by name of an environment variable: a key among the arguments would stand in the process list and the shell history. */
function keyFromEnvironment(invocation: Invocation): string | null | undefined {
  const variable = textOption(invocation, 'key-from');
  if (variable === undefined) return undefined;
  const key = environmentVariable(variable)?.trim();
  if (!key) throw new UsageError(`The environment variable ${variable} is empty or not set.`);
  return key;
}

function namedPaths(invocation: Invocation, option: string, kind: 'file' | 'folder'): { name: string; path: string }[] {
  const given = invocation.options[option];
  return (Array.isArray(given) ? given : []).map((text) => {
    const match = /^([a-z][a-z0-9_-]{0,62})=(.+)$/.exec(text);
    if (!match?.[1] || !match[2])
      throw new UsageError(`--${option} is NAME=PATH, e.g. site=${kind === 'file' ? './site.db' : './site'}.`);
    const path = isAbsolute(match[2]) ? match[2] : resolve(match[2]);
    const isRight = existsSync(path) && (kind === 'file' ? statSync(path).isFile() : statSync(path).isDirectory());
    if (!isRight) throw new UsageError(`There is no ${kind} ${path}.`);
    return { name: match[1], path };
  });
}

export const key: Command = {
  usage: '[--recovery-code | --restore CODE]',
  summary: 'How the data key is kept; its recovery code; rebuild a lost key file',
  options: { 'recovery-code': { type: 'boolean' }, restore: { type: 'string' } },
  run(invocation) {
    const paths = installationPaths(invocation.databasePath);
    const code = textOption(invocation, 'restore');
    if (code !== undefined) {
      if (existsSync(paths.key))
        throw new UsageError(`${paths.key} exists. Move it away first; a key in use is never overwritten.`);
      restoreKey(invocation.databasePath, code);
    }
    const { installation } = invocation.open();
    const shown = invocation.options['recovery-code'] ? recoveryCode(installation.dataKey) : null;
    invocation.answer({ keyFile: paths.key, protection: installation.keyProtection, recoveryCode: shown }, [
      `Key file ${paths.key}, ${installation.keyProtection === 'none' ? 'NOT protected by a passphrase: who can read it can read everything' : 'protected by a passphrase'}.`,
      ...(shown
        ? [`Recovery code: ${shown}`, 'Keep it on paper or in a safe: whoever has it can open everything.']
        : []),
    ]);
    return Promise.resolve(EXIT.ok);
  },
};

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_SETTINGS, type Configuration } from '../domain/configuration.ts';
import { ceilingOf, trustZoneOf } from '../domain/trust-zone.ts';
import { toolDenial } from '../domain/tool-gate-rules.ts';
import { openConfigurations, type Console } from '../compose.ts';
import { openPeople } from '../compose-people.ts';
import { operatorIdOf } from '../domain/actor.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { EXIT, isYes, PREFIX, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';
import { plainLines } from './terminal-text.ts';

export const configuration: Command = {
  usage: '[NAME] [--set FIELD=VALUE]... [--activate | --deactivate] [--yes] [--export FILE] [--import FILE]',
  summary: 'Show configurations; change one; carry one to another console, without its key',
  options: {
    set: { type: 'string', multiple: true },
    activate: { type: 'boolean' },
    deactivate: { type: 'boolean' },
    yes: { type: 'boolean' },
    export: { type: 'string' },
    import: { type: 'string' },
  },
  async run(invocation) {
    const [name, ...more] = invocation.positionals;
    if (more.length > 0) throw new UsageError('Only one NAME is expected.');
    const { options } = invocation;
    if (options.activate && options.deactivate) throw new UsageError('Give --activate or --deactivate, not both.');
    if (textOption(invocation, 'import') !== undefined) return importFrom(invocation, name);
    if (name === undefined) return list(invocation);
    const opened = invocation.open();
    const found = await opened.installation.store.findConfiguration(name);
    if (!found) return refuse(invocation, { kind: 'configuration_gone', configuration: name });
    if (textOption(invocation, 'export') !== undefined) return exportTo(invocation, found);
    const isChange = options.set !== undefined || options.activate === true || options.deactivate === true;
    return isChange ? change(invocation, opened, found) : show(invocation, opened, found);
  },
};

async function list(invocation: Invocation): Promise<number> {
  const all = await invocation.open().installation.store.configurations();
  invocation.answer(
    all.map(({ identifier, isActive, settings }) => ({ identifier, isActive, zone: trustZoneOf(settings) })),
    all.length === 0
      ? [`There is no configuration. Make one with: ${PREFIX} connect, or ${PREFIX} sample DIR`]
      : all.map(
          ({ identifier, isActive, settings }) =>
            `${identifier}  ${trustZoneOf(settings)}${isActive ? '' : '  switched off'}`,
        ),
  );
  return EXIT.ok;
}

async function show(invocation: Invocation, opened: Console, found: Configuration): Promise<number> {
  const { identifier, isActive, settings } = found;
  const zone = trustZoneOf(settings);
  const operator = await opened.installation.store.operator(operatorIdOf(opened.actor));
  const tools = opened.catalogue.list().map((tool) => ({ name: tool.name, denied: toolDenial(tool, found, operator) }));
  invocation.answer({ identifier, isActive, zone, ceiling: ceilingOf(zone), settings, tools }, [
    `${identifier}${isActive ? '' : ' (switched off)'}: its model is ${zone}, so it may be given ${ceilingOf(zone)} at most.`,
    ...plainLines(JSON.stringify(settings, null, 2)),
    ...tools.map(({ name, denied }) => `${plainLine(name)}: ${denied ? `not offered (${denied})` : 'offered'}`),
    `Change with: ${PREFIX} configuration ${identifier} --set FIELD=VALUE`,
  ]);
  return EXIT.ok;
}

async function change(invocation: Invocation, opened: Console, found: Configuration): Promise<number> {
  const given = Array.isArray(invocation.options.set) ? invocation.options.set : [];
  const settings = structuredClone(found.settings) as Record<string, unknown>;
  for (const text of given) setField(settings, text);
  const isActive = invocation.options.activate === true || (found.isActive && invocation.options.deactivate !== true);
  return save(invocation, opened, found, { identifier: found.identifier, isActive, settings });
}

/** `budget.perRun.tokens=5000`: a path of names, then JSON; what is no JSON is taken as text. Faults: `UsageError`. */
function setField(settings: Record<string, unknown>, text: string): void {
  const [, path, value] = /^([A-Za-z][A-Za-z.]*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined)
    throw new UsageError('--set is FIELD=VALUE, e.g. budget.perRun.tokens=50000.');
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = settings;
  for (const name of names) {
    const next = Object.hasOwn(place, name) ? place[name] : undefined;
    if (typeof next !== 'object' || next === null || Array.isArray(next)) throw unknownField(path);
    place = next as Record<string, unknown>;
  }
  if (!Object.hasOwn(place, last)) throw unknownField(path);
  place[last] = jsonOrText(value);
}

const unknownField = (path: string): UsageError =>
  new UsageError(`There is no setting ${path}. All of them: ${PREFIX} configuration NAME`);

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

async function save(
  invocation: Invocation,
  opened: Console,
  before: Configuration | null,
  wanted: { identifier: string; isActive: boolean; settings: object },
): Promise<number> {
  const lacksApprover = await wouldLackApprover(opened, before, wanted.settings);
  if (lacksApprover && !(await isWantedAllTheSame(invocation))) return EXIT.refused;
  const configurationId = before?.id ?? null;
  const saved = await openConfigurations(opened, null).configure(opened.actor, { configurationId, ...wanted });
  if (!saved.ok) return refuse(invocation, saved.refusal);
  const { configuration: stored, changed } = saved.value;
  const needsKey =
    stored.settings.model.kind === 'openai_compatible' && !(await opened.installation.store.hasApiKey(stored.id));
  const warnings = lacksApprover ? ['no_second_approver'] : [];
  invocation.answer({ configuration: stored, changed, warnings }, [
    changed.length === 0
      ? 'It is so already; nothing was changed.'
      : `Changed ${stored.identifier}: ${changed.join(', ')}.`,
    ...(lacksApprover ? [ADD_APPROVER] : []),
    ...(changed.includes('created') && needsKey
      ? [`It has no key. If its server wants one: ${PREFIX} connect ${stored.identifier} … --key-from VARIABLE`]
      : []),
  ]);
  return EXIT.ok;
}

const NO_SECOND_APPROVER = 'Fewer than two people could approve, so what one of them starts nobody can.';
const ADD_APPROVER = `Add a second person: ${PREFIX} operator add NAME --grant agent_approve`;

/** Whether the change asks for a second person where there is none. */
async function wouldLackApprover(opened: Console, before: Configuration | null, settings: object): Promise<boolean> {
  const isAskedFor = 'requireSecondApprover' in settings && settings.requireSecondApprover === true;
  return isAskedFor && !before?.settings.requireSecondApprover && !(await openPeople(opened).hasSecondApprover());
}

/** Warned before anything is saved (H-149). Faults: `UsageError` without a terminal and without --yes. */
async function isWantedAllTheSame(invocation: Invocation): Promise<boolean> {
  if (invocation.options.yes === true) return true;
  if (!invocation.canAsk)
    throw new UsageError(`${NO_SECOND_APPROVER} ${ADD_APPROVER}. To save it all the same, give --yes.`);
  invocation.print(NO_SECOND_APPROVER);
  const answer = await invocation.ask('Save it all the same? Type yes: ');
  if (isYes(answer)) return true;
  invocation.print(`Nothing was changed. ${ADD_APPROVER}`);
  return false;
}

/** What a file of an exported configuration is. */
const EXPORT_VERSION = 1;

function exportTo(invocation: Invocation, { identifier, isActive, settings }: Configuration): number {
  const file = resolve(textOption(invocation, 'export') as string);
  const text = `${JSON.stringify({ v: EXPORT_VERSION, identifier, isActive, settings }, null, 2)}\n`;
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw fileError(error, file);
  }
  invocation.answer({ file }, [`Wrote ${file}, without the key.`]);
  return EXIT.ok;
}

async function importFrom(invocation: Invocation, name: string | undefined): Promise<number> {
  const file = resolve(textOption(invocation, 'import') as string);
  const read = readExport(file);
  const opened = invocation.open('create');
  const identifier = name ?? read.identifier;
  const existing = await opened.installation.store.findConfiguration(identifier);
  return save(invocation, opened, existing, { identifier, isActive: read.isActive, settings: read.settings });
}

/** Faults: `UsageError`, saying what is wrong with the file. */
function readExport(file: string): { identifier: string; isActive: boolean; settings: object } {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is no JSON.`);
    throw fileError(error, file);
  }
  const found = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof found.v === 'number' && found.v > EXPORT_VERSION)
    throw new UsageError(`${file} was written by a newer release. Import it with that one.`);
  const { v, identifier, isActive, settings } = found;
  if (v !== EXPORT_VERSION || typeof identifier !== 'string' || typeof settings !== 'object' || settings === null)
    throw new UsageError(`${file} is no exported configuration.`);
  // What the file does not say, because an older release wrote it, is as in a new configuration.
  return { identifier, isActive: isActive !== false, settings: { ...DEFAULT_SETTINGS, ...settings } };
}

function fileError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EEXIST') return new UsageError(`${file} exists. Nothing is overwritten; name another file.`);
  if (code === 'ENOENT') return new UsageError(`${file} cannot be found.`);
  if (code === 'EACCES' || code === 'EISDIR') return new UsageError(`${file} cannot be used: ${code}.`);
  return error;
}

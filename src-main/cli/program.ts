import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { openConsole, type Console } from '../compose.ts';
import { readHidden } from '../system/hidden-line.ts';
import { installationPaths } from '../system/paths.ts';
import { EXIT, PREFIX, UsageError, type Command, type Invocation } from './command.ts';
import { configuration } from './configuration-command.ts';
import { connect } from './connect-command.ts';
import { doctor, reap, resolveWrite } from './care-commands.ts';
import { purge } from './purge-command.ts';
import { answer } from './answer-command.ts';
import { approve, cancel, deny } from './decide-commands.ts';
import { demo } from './demo-command.ts';
import { diagnostics } from './diagnostics-command.ts';
import { serve, worker } from './host-commands.ts';
import { pause, resume, retry } from './pause-commands.ts';
import { key } from './key-command.ts';
import { operator } from './operator-command.ts';
import { openAsNamed } from './passphrase-input.ts';
import { events, inbox, show } from './read-commands.ts';
import { edit } from './edit-command.ts';
import { find } from './find-command.ts';
import { receipt } from './receipt-command.ts';
import { release } from './restored-commands.ts';
import { enqueue, refuse, run } from './run-commands.ts';
import { sample } from './setup-commands.ts';
import { status } from './status-command.ts';
import { verify } from './verify-command.ts';

/** Every command, in the order of the help. */
export const COMMANDS: Record<string, Command> = {
  demo,
  sample,
  connect,
  configuration,
  run,
  enqueue,
  worker,
  inbox,
  find,
  show,
  approve,
  deny,
  edit,
  answer,
  cancel,
  retry,
  release,
  resolve: resolveWrite,
  pause,
  resume,
  events,
  receipt,
  status,
  serve,
  reap,
  doctor,
  purge,
  diagnostics,
  verify,
  key,
  operator,
};

const COMMON_OPTIONS = {
  db: { type: 'string' },
  as: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Runs one command line. Exit codes: 0 ok, 1 refused, unhealthy or failed, 2 wrong
 * usage, 130 left with Ctrl+C. Under --json standard output holds exactly one JSON value, whatever happens.
 */
export async function runProgram(words: string[], callerUrl: string): Promise<number> {
  const [name, ...rest] = words;
  const isJson = rest.includes('--json');
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      process.stdout.write(`${helpLines().join('\n')}\n`);
      return name === undefined ? EXIT.usage : EXIT.ok;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command ${name}. All commands: --help`);
    return await runCommand(name, command, rest, callerUrl);
  } catch (error) {
    return explain(error, name ?? '', isJson);
  }
}

async function runCommand(name: string, command: Command, words: string[], callerUrl: string): Promise<number> {
  const { values, positionals } = parseWords(command, words);
  if (values.help) {
    process.stdout.write(`${commandHelp(name, command).join('\n')}\n`);
    return EXIT.ok;
  }
  if (values.db === '') throw new UsageError('--db names no file.');
  // Only a usage that begins with a word takes words beside its options.
  if (positionals.length > 0 && !/^\[?[A-Za-z]/.test(command.usage)) {
    throw new UsageError(`${name} takes no ${positionals[0]}; another database is named with --db FILE.`);
  }
  let opened: Console | null = null;
  const databasePath = typeof values.db === 'string' ? values.db : undefined;
  const isJson = values.json === true;
  const print = (line: string): void => {
    if (!isJson) process.stdout.write(`${line}\n`);
  };
  const canAsk = !isJson && process.stdin.isTTY && process.stdout.isTTY;
  const invocation: Invocation = {
    positionals,
    options: values as Invocation['options'],
    isJson,
    databasePath,
    callerUrl,
    print,
    answer(value, lines) {
      if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`);
      else for (const line of lines) print(line);
    },
    open: (mode) => (opened ??= openExisting(databasePath, mode)),
    canAsk,
    ask: (question) => (canAsk ? askAtTerminal(question) : Promise.resolve(null)),
    askHidden: (question) => (canAsk ? readHidden(question) : Promise.resolve(null)),
  };
  try {
    if (typeof values.as === 'string') {
      const proved = await openAsNamed(invocation, values.as);
      if (!proved.ok) return refuse(invocation, proved.refusal);
      opened = proved.value;
    }
    return await command.run(invocation);
  } finally {
    opened?.close();
  }
}

function openExisting(databasePath: string | undefined, mode: 'create' | undefined): Console {
  const { database } = installationPaths(databasePath);
  if (mode !== 'create' && !existsSync(database)) {
    throw new UsageError(
      `There is no database ${database}. Name another with --db FILE, or set one up with: ${PREFIX} sample DIR`,
    );
  }
  return openConsole(databasePath);
}

function parseWords(command: Command, words: string[]): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({
      args: words,
      options: { ...COMMON_OPTIONS, ...command.options },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function askAtTerminal(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<null>((resolve) => {
    terminal.once('SIGINT', () => resolve(null));
    terminal.once('close', () => resolve(null));
  });
  try {
    return await Promise.race([terminal.question(question), left]);
  } finally {
    terminal.close();
  }
}

/** Errors whose message is written for people; anything else is a fault and shows where it came from. */
const EXPLAINED = [
  'ChainBrokenError',
  'UsageError',
  'KeyUnavailableError',
  'KeyInUseError',
  'NewerDatabaseError',
  'ForeignDatabaseError',
  'UnknownAccountError',
  'SearchFailedError',
  'SampleSiteError',
];

/** What the system's own codes mean to a person. */
const FAULT_SENTENCES: Record<string, string> = {
  EADDRINUSE: 'That port is taken. Choose another with --port, or leave it out for a free one.',
  EACCES: 'Your account may not use a file or folder of this installation.',
  SQLITE_NOTADB: 'That file is no database. Name a Countersign database with --db.',
  SQLITE_CANTOPEN: 'The database cannot be opened: is it a folder, or may your account not use it?',
  SQLITE_READONLY: 'The database can only be read by your account, so it cannot be used.',
  SQLITE_CORRUPT: 'SQLite finds the database damaged. Put a backup of database and key back.',
};

/** A wrong call, a "no" of the installation or a fault, told once, with what to do. */
function explain(error: unknown, name: string, isJson: boolean): number {
  const isUsage = error instanceof UsageError;
  const isKnown = error instanceof Error && EXPLAINED.includes(error.name);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(FAULT_SENTENCES, code) ? FAULT_SENTENCES[code] : undefined;
  const message = known ?? (error instanceof Error ? error.message : String(error));
  if (isJson) process.stdout.write(`${JSON.stringify({ error: isUsage ? 'usage' : 'failed', sentence: message })}\n`);
  process.stderr.write(`${message}\n`);
  if (isUsage && Object.hasOwn(COMMANDS, name)) process.stderr.write(`Usage: ${name} ${COMMANDS[name]?.usage ?? ''}\n`);
  if (!isKnown && !known && error instanceof Error && error.stack)
    process.stderr.write(`${error.stack.split('\n').slice(1).join('\n')}\n`);
  return isUsage ? EXIT.usage : EXIT.refused;
}

function helpLines(): string[] {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'Countersign: AI agents propose, a person decides, the audit proves it.',
    '',
    'npm run -s cli -- COMMAND [options]',
    '',
    ...Object.entries(COMMANDS).map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`),
    '',
    '  --db FILE   another database than the one of your account',
    '  --as NAME   act as another person, who gives their passphrase',
    '  --json      one JSON value on standard output',
    '  --help      how a command is called',
    '',
    'Exit codes: 0 ok, 1 refused, unhealthy or failed, 2 wrong usage.',
  ];
}

const commandHelp = (name: string, command: Command): string[] => [
  `${name} ${command.usage} [--db FILE] [--as NAME] [--json]`.replaceAll(/ +/g, ' '),
  '',
  command.summary,
];

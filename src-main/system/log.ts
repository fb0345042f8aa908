import { inspect } from 'node:util';
import { pino, type Level } from 'pino';
import type { JsonObject, JsonValue } from '../domain/json-value.ts';
import { redactValue } from '../domain/redaction.ts';
import { createRotatingFile, type Rotation } from './rotating-file.ts';

/**
 * Tells the log what went wrong (an error), what people should know (`{ warning }`) or
 * what was begun or ended (`{ note }`). `where` says what it is about; a run is named in
 * it as `run ID` and can then be found by `runId`.
 */
export type Report = (entry: unknown, where: string) => void;

/** From which level on entries are kept. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  path: string;
  level: LogLevel;
  nowMs(): number;
  rotation?: Rotation;
  /** Where a line goes when the file cannot be written. */
  lastResort?(text: string): void;
}

/**
 * A log on a file that the processes of an installation share: one JSON line an entry,
 * errors with their causes. Tool arguments, prompts, answers and keys are never handed
 * to it, and what an error quotes of them is redacted before it is written, at every
 * level. Source: runtime.md §14.3, §20.
 */
export function createFileLog(options: LogOptions): Report {
  const logger = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: () => `,"at":"${new Date(options.nowMs()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    { write: createSink(options) },
  );
  return (entry, where) => {
    const facts = { where, ...runIn(where), ...describe(entry) };
    logger[levelOf(entry)](redactValue(facts) as JsonObject);
  };
}

/** Writes lines to the file. While it cannot be written, the first line goes to the last resort and the others are counted, which the file then says. */
function createSink({ path, nowMs, rotation, lastResort = toStandardError }: LogOptions): (line: string) => void {
  const append = createRotatingFile(path, rotation);
  let unwritten = 0;
  const tell = (): void => {
    const facts = { level: 'warn', at: new Date(nowMs()).toISOString(), pid: process.pid, where: 'log' };
    append(`${JSON.stringify({ ...facts, warning: 'entries could not be written', entries: unwritten })}\n`);
    unwritten = 0;
  };
  return (line) => {
    try {
      if (unwritten > 0) tell();
      append(line);
    } catch (failure) {
      if (unwritten === 0) lastResort(`${line}The log ${path} cannot be written: ${String(failure)}\n`);
      unwritten += 1;
    }
  };
}

const toStandardError = (text: string): void => void process.stderr.write(text);

const runIn = (where: string): { runId?: string } => {
  const runId = /\brun ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(where)?.[1];
  return runId ? { runId } : {};
};

function levelOf(entry: unknown): Level {
  if (typeof entry !== 'object' || entry === null || entry instanceof Error) return 'error';
  if ('warning' in entry) return 'warn';
  return 'note' in entry ? 'info' : 'error';
}

const MAX_CAUSES = 5;

function describe(error: unknown, depth = 0): JsonObject {
  if (typeof error !== 'object' || error === null) return { error: String(error) };
  if (!(error instanceof Error)) return plainFacts(error);
  return {
    error: error.name,
    message: error.message,
    stack: error.stack?.split('\n').slice(1, 9) ?? [],
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: describe(error.cause, depth + 1) } : {}),
  };
}

/** Facts as JSON has them; whatever it has no words for, as Node would print it. */
function plainFacts(facts: object): JsonObject {
  try {
    return JSON.parse(JSON.stringify(facts)) as { [name: string]: JsonValue };
  } catch {
    // It has a cycle or a value that is no data, and what failed must be told all the same.
    return { error: inspect(facts, { depth: 2 }) };
  }
}

import type { ParseArgsConfig } from 'node:util';
import type { Console } from '../compose.ts';
import { wholeNumber } from '../system/whole-number.ts';

/** Exit codes of every command. */
export const EXIT = { ok: 0, refused: 1, usage: 2 } as const;

/** The command was called wrongly; the message says how it is called. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What a command gets: its words, and where its answers go. */
export interface Invocation {
  positionals: string[];
  options: Record<string, string | boolean | string[] | undefined>;
  /** True = standard output is exactly one JSON value. */
  isJson: boolean;
  databasePath: string | undefined;
  /** URL of the program's start, beside which the other starts stand. */
  callerUrl: string;
  /** A line for people; nothing under --json. */
  print(line: string): void;
  /** The command's answer: the value under --json, else the lines. */
  answer(value: unknown, lines: string[]): void;
  /** Opens the installation; closed when the command ends. */
  open(): Console;
  /** Asks at the terminal; null when there is none or --json is set. */
  ask(question: string): Promise<string | null>;
}

export interface Command {
  /** After the name, e.g. `RUN [--wait]`. */
  usage: string;
  summary: string;
  options: NonNullable<ParseArgsConfig['options']>;
  run(invocation: Invocation): Promise<number>;
}

/** The single positional of a command. Faults: `UsageError`. */
export function onlyPositional({ positionals }: Invocation, name: string): string {
  const [value, ...more] = positionals;
  if (value === undefined || value.trim() === '') throw new UsageError(`${name} is missing.`);
  if (more.length > 0) throw new UsageError(`Only one ${name} is expected; put a text with blanks in quotes.`);
  return value;
}

/** A whole number option within bounds. Faults: `UsageError`. */
export function integerOption(
  { options }: Invocation,
  name: string,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' ? wholeNumber(text, minimum, maximum) : null;
  if (value === null) throw new UsageError(`--${name} must be a whole number from ${minimum} to ${maximum}.`);
  return value;
}

/** An option that was given as text, or undefined. */
export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

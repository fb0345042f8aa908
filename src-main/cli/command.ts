import type { ParseArgsConfig } from 'node:util';
import type { Console } from '../compose.ts';
import { wholeNumber } from '../system/whole-number.ts';

/** What a person types before a command. */
export const PREFIX = 'npm run -s cli --';

/** Exit codes of every command. */
export const EXIT = { ok: 0, refused: 1, usage: 2, interrupted: 130 } as const;

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
  /**
   * Opens the installation; closed when the command ends. Only a command that sets
   * something up may create one: a mistyped path must not look like an empty inbox.
   * Faults: `UsageError` when there is none.
   */
  open(mode?: 'create'): Console;
  /** Whether there is a terminal to ask at, and --json is not set. */
  canAsk: boolean;
  /** Asks at the terminal; null when there is none, or when the person leaves with Ctrl+C or Ctrl+D. */
  ask(question: string): Promise<string | null>;
  /** The same without showing what is typed. */
  askHidden(question: string): Promise<string | null>;
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

/** Whether a person at the terminal consented: by that word and no other. Null = they left. */
export const isYes = (answer: string | null): boolean => answer?.trim().toLowerCase() === 'yes';

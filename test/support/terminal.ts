import { dirname } from 'node:path';
import type { Invocation } from '../../src-main/cli/command.ts';
import type { Console } from '../../src-main/compose.ts';
import { OWNER, type RuntimeFixture } from './runtime.ts';

/**
 * A command at a terminal of a console whose person types these words, one after the other, and leaves when there are no
 * more; `printed` takes what the person reads, and each question.
 */
export const atConsole = (opened: Console, words: string[], printed: string[]): Invocation => ({
  positionals: [],
  options: {},
  isJson: false,
  databasePath: undefined,
  callerUrl: import.meta.url,
  print: (line) => void printed.push(line),
  answer: () => undefined,
  open: () => opened,
  canAsk: true,
  async ask(question) {
    printed.push(question);
    return words.shift() ?? null;
  },
  askHidden: async () => null,
});

/** A command about a run at a terminal whose person is the owner; as `atConsole`. */
export const atTerminal = (
  { runtime, clock, database }: RuntimeFixture,
  runId: string,
  words: string[],
  printed: string[] = [],
): Invocation => {
  const installation = { paths: { workers: dirname(database.name) } };
  const opened = { runtime, clock, actor: OWNER, installation } as unknown as Console;
  return { ...atConsole(opened, words, printed), positionals: [runId] };
};

import { dirname } from 'node:path';
import type { Invocation } from '../../src-main/cli/command.ts';
import type { Console } from '../../src-main/compose.ts';
import { OWNER, type RuntimeFixture } from './runtime.ts';

/**
 * A command about a run at a terminal whose person, the owner, types these words, one after the other, and leaves when there
 * are no more; `printed` takes what the person reads, and each question.
 */
export const atTerminal = (
  { runtime, clock, database }: RuntimeFixture,
  runId: string,
  words: string[],
  printed: string[] = [],
): Invocation => ({
  positionals: [runId],
  options: {},
  isJson: false,
  databasePath: undefined,
  callerUrl: import.meta.url,
  print: (line) => void printed.push(line),
  answer: () => undefined,
  open: () =>
    ({
      runtime,
      clock,
      actor: OWNER,
      installation: { paths: { workers: dirname(database.name) } },
    }) as unknown as Console,
  canAsk: true,
  async ask(question) {
    printed.push(question);
    return words.shift() ?? null;
  },
  askHidden: async () => null,
});

import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Console } from '../../src-main/compose.ts';
import { answer } from '../../src-main/cli/answer-command.ts';
import type { Invocation } from '../../src-main/cli/command.ts';
import { call } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

/** At a terminal whose person types these words, one after the other. */
const atTerminal = ({ runtime, database }: RuntimeFixture, runId: string, words: string[]): Invocation => ({
  positionals: [runId],
  options: {},
  isJson: false,
  databasePath: undefined,
  callerUrl: import.meta.url,
  print: () => undefined,
  answer: () => undefined,
  open: () =>
    ({ runtime, actor: OWNER, installation: { paths: { workers: dirname(database.name) } } }) as unknown as Console,
  canAsk: true,
  ask: async () => words.shift() ?? null,
  askHidden: async () => null,
});

describe('answering at a terminal', () => {
  const open = useRuntime();

  it.each(['ask_x', '__proto__', 'constructor'])('LIM-22 answers a call whatever its id is (%s)', async (callId) => {
    const f = open([{ calls: [call('ask_x', {}, callId)] }]);
    const { id } = await f.start();
    await f.segment();
    await answer.run(atTerminal(f, id, ['Ulm', 'no']));
    expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/domain/run.ts';
import { call, type Turn } from '../support/fake-model.ts';
import type { RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

/** A run with everything in it: a read, a pause, a read and two writes in one turn, another read, an answer. */
const SCRIPT: Turn[] = [
  { calls: [call('read_x', { key: 'title' })] },
  {
    calls: [
      call('read_x', { key: 'body' }),
      call('set_x', { key: 'title', value: 'new title' }),
      call('set_x', { key: 'body', value: 'new body' }, 'set_body'),
    ],
  },
  { calls: [call('read_x', { key: 'title' }, 'again')] },
  { text: 'done' },
];

/** Answers by what the transcript already holds, so that a repeated question gets the same answer. */
const scripted = (request: { messages: { role: string }[] }): Turn =>
  SCRIPT[request.messages.filter((message) => message.role === 'assistant').length] ?? { text: 'asked too often' };

async function drive(f: RuntimeFixture, id: string): Promise<void> {
  for (let segment = 0; segment < 20; segment += 1) {
    const { status } = await f.row(id);
    if (isTerminal(status)) return;
    if (status === 'waiting_for_approval') await f.approve(id);
    const dueAtMs = await f.store.nextDueAtMs();
    if (dueAtMs === null) throw new Error(`Nothing is due while the run is ${(await f.row(id)).status}.`);
    await f.clock.advance(Math.max(0, dueAtMs - f.clock.nowMs()));
    await f.segment();
  }
  throw new Error('The run does not end.');
}

async function transitionsOfWholeRun(f: RuntimeFixture): Promise<number> {
  let transitions = 0;
  f.intercept = () => {
    transitions += 1;
    return null;
  };
  const { id } = await f.start();
  await drive(f, id);
  return transitions;
}

describe('a run at every point of its life', () => {
  const open = useRuntime();

  it('H-123 and 5a dies before any of its transitions and still ends as if nothing had happened', async () => {
    const total = await transitionsOfWholeRun(open(scripted));
    expect(total).toBeGreaterThan(12);
    for (let point = 1; point <= total; point += 1) {
      const f = open(scripted);
      const { id } = await f.start();
      let count = 0;
      let isDead = false;
      while (!isDead && !isTerminal((await f.row(id)).status)) {
        if ((await f.row(id)).status === 'waiting_for_approval') await f.approve(id);
        isDead = (await f.dieAt(() => (count += 1) === point)) !== null;
      }
      expect(isDead, `death ${point}`).toBe(true);
      await drive(f, id);
      const outcome = { point, ...(await f.row(id)), ...Object.fromEntries(f.world.values) };
      expect(outcome).toMatchObject({ point, status: 'completed', rounds: 4, title: 'new title', body: 'new body' });
      const writes = f.world.executed.filter(({ tool }) => tool === 'set_x').map(({ args }) => args.key);
      expect(writes, `writes after death ${point}`).toEqual(['title', 'body']);
      const kinds = await f.kinds(id);
      expect(
        kinds.filter((kind) => kind === 'approval'),
        `decisions after death ${point}`,
      ).toHaveLength(1);
      expect(
        kinds.filter((kind) => kind === 'tool_write'),
        `recorded after death ${point}`,
      ).toHaveLength(2);
      expect(await f.store.uncertainWrites()).toEqual([]);
    }
  });

  it('H-123, R-13 and T-20 meets a fault of the store at any of its transitions and is never left running', async () => {
    const total = await transitionsOfWholeRun(open(scripted));
    for (let point = 1; point <= total; point += 1) {
      const f = open(scripted);
      const { id } = await f.start();
      let count = 0;
      f.intercept = () => ((count += 1) === point ? Promise.reject(new Error('disk full')) : null);
      await drive(f, id);
      const row = await f.row(id);
      expect(['completed', 'failed'], `fault ${point}`).toContain(row.status);
      const writes = f.world.executed.filter(({ tool }) => tool === 'set_x').length;
      const recorded = (await f.kinds(id)).filter((kind) => kind === 'tool_write').length;
      const listed = (await f.store.uncertainWrites()).length;
      expect(recorded + listed, `every write of fault ${point} is recorded or listed`).toBe(writes);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { useRuntime } from '../support/use-runtime.ts';

const AT_HOME = { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:9/v1', modelId: 'small' } as const;
const read = (id: string) => call('read_x', { key: 'title' }, id);

describe('the room of a model', () => {
  const open = useRuntime();

  it('R-167 ends a run when not even the newest turn fits, measured and not asked', async () => {
    const f = open([{ calls: [read('c1')] }], { model: AT_HOME, contextWindow: 6_000 });
    f.world.values.set('title', 'x'.repeat(20_000));
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ endReason: 'context_truncated', isTruncated: true, rounds: 1 });
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'llm', 'tool', 'context', 'finished']);
    const context = (await f.events(id)).find(({ kind }) => kind === 'context');
    expect(context?.payload).toMatchObject({ measured: true, window: 6_000 });
    expect(context?.payload.remaining).toBeLessThan(0);
    expect(f.model.requests).toHaveLength(1);
  });

  it('R-167 ends one whose request alone is too long, before anything is asked', async () => {
    const f = open([], { model: AT_HOME, contextWindow: 4_000 });
    const { id } = await f.start({ prompt: 'x'.repeat(30_000) });
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ endReason: 'context_truncated', rounds: 0 });
    expect(f.model.requests).toEqual([]);
  });

  it('R-166 leaves the oldest turn out of what is sent and keeps it in what is stored', async () => {
    let turn = 0;
    const f = open(() => ((turn += 1) <= 3 ? { calls: [read(`c${turn}`)] } : { text: 'done' }), {
      model: AT_HOME,
      contextWindow: 12_000,
    });
    f.world.values.set('title', 'x'.repeat(8_000));
    const { id } = await f.start();
    await f.segment();
    expect(await f.row(id)).toMatchObject({ endReason: 'completed', rounds: 4 });
    const sent = f.model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'tool').length);
    expect(sent).toEqual([0, 1, 2, 2]);
    const requests = (await f.events(id)).filter(({ kind }) => kind === 'request');
    expect(requests.map(({ payload }) => (payload.context as { droppedMessages: number }).droppedMessages)).toEqual([
      0, 0, 0, 2,
    ]);
  });

  it('R-169 X-23 learns within its own segment only', async () => {
    const f = open(() => ({ text: 'x', inputTokens: 100_000 }), { model: AT_HOME, contextWindow: 200_000 });
    const first = await f.start();
    const second = await f.start();
    await f.segment();
    await f.segment();
    const estimates = await Promise.all(
      [first, second].map(
        async ({ id }) => (await f.events(id)).find(({ kind }) => kind === 'request')?.payload.context,
      ),
    );
    expect(estimates[0]).toEqual(estimates[1]);
  });

  it('D-31 runs reads of one turn at the same time and records them in order', async () => {
    const waiting: (() => void)[] = [];
    const f = open([{ calls: [read('c1'), read('c2'), read('c3')] }, { text: 'done' }]);
    const { id } = await f.start();
    // The first comes back only when all three run.
    f.world.beforeEffect = () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting.toReversed()) go();
      });
    expect(await f.segment()).toBe('completed');
    const tools = (await f.events(id)).filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ payload }) => payload.toolCallId)).toEqual(['c1', 'c2', 'c3']);
  });
});

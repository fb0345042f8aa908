import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { useRuntime } from '../support/use-runtime.ts';

const NONE = { tokens: null, costMicros: null };
const read = call('read_x', { key: 'title' });

describe('a budget of a configuration', () => {
  const open = useRuntime();

  it('R-172 ends a run in the middle: what it did is kept, there is no answer, and the reason says why', async () => {
    const f = open([{ calls: [read], inputTokens: 90, outputTokens: 20 }], {
      budget: { perRun: { ...NONE, tokens: 100 }, perDay: NONE },
    });
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({
      status: 'completed',
      endReason: 'budget_exhausted',
      isTruncated: true,
      rounds: 1,
      inputTokens: 90,
    });
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'llm', 'tool', 'finished']);
    expect(await f.store.result(id)).toMatchObject({ answer: '', failure: '' });
    expect(f.reports).toHaveLength(1);
  });

  it('X-12 ends a run without tools in the same way, before its model is asked', async () => {
    const f = open([{ text: 'one', inputTokens: 50, outputTokens: 50 }], {
      budget: { perRun: NONE, perDay: { ...NONE, tokens: 100 } },
    });
    await f.start({ allowedToolNames: [] });
    await f.segment();
    const { id } = await f.start({ allowedToolNames: [] });
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ endReason: 'budget_exhausted', isTruncated: true, rounds: 0 });
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'finished']);
    expect(f.model.requests).toHaveLength(1);
  });

  it('R-172 begins anew on the next day', async () => {
    const f = open(() => ({ text: 'x', inputTokens: 100, outputTokens: 0 }), {
      budget: { perRun: NONE, perDay: { ...NONE, tokens: 100 } },
    });
    await f.start();
    await f.segment();
    await f.clock.advance(86_400_000);
    const { id } = await f.start();
    await f.segment();
    expect(await f.row(id)).toMatchObject({ endReason: 'completed', rounds: 1 });
  });

  it('D-18 is charged to who started the run, after a decision by another person, too', async () => {
    const set = call('set_x', { key: 'title', value: 'n' });
    const f = open([
      { calls: [set], inputTokens: 10, outputTokens: 1 },
      { text: 'x', inputTokens: 20, outputTokens: 2 },
    ]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id, { kind: 'operator', operatorId: 5 });
    await f.segment();
    const rows = f.database.prepare('select initiator_id, tokens, unpriced from spend').all();
    expect(rows).toEqual([{ initiator_id: 3, tokens: 33, unpriced: 2 }]);
  });

  it('D-04 counts what an answer cost by the price, and a cost nobody knows as used up', async () => {
    const budget = { perRun: { ...NONE, costMicros: 1_000 }, perDay: NONE };
    const priced = open(
      [
        { calls: [read], inputTokens: 500, outputTokens: 0 },
        { text: 'x', inputTokens: 100, outputTokens: 100 },
      ],
      {
        budget,
        prices: { inputMicros: 1_000_000, outputMicros: 2_000_000 },
      },
    );
    const { id } = await priced.start();
    await priced.segment();
    expect(await priced.row(id)).toMatchObject({ endReason: 'completed', costMicros: 800 });
    const unknown = open([{ calls: [read] }], { budget });
    const other = await unknown.start();
    await unknown.segment();
    expect(await unknown.row(other.id)).toMatchObject({ endReason: 'budget_exhausted', costMicros: null });
    const partly = open([{ calls: [read], costMicros: 5 }, { calls: [read] }], { budget });
    const third = await partly.start();
    await partly.segment();
    expect(await partly.row(third.id)).toMatchObject({
      endReason: 'budget_exhausted',
      rounds: 2,
      costMicros: 5,
      unpricedAnswers: 1,
    });
  });

  it.each([
    ['no tokens at all', {}],
    ['half of its tokens', { inputTokens: 200 }],
  ])('D-04 does not price an answer whose server counts %s: it is unknown, not free', async (_what, counted) => {
    const f = open([{ calls: [read], ...counted }], {
      budget: { perRun: { ...NONE, costMicros: 1_000 }, perDay: NONE },
      prices: { inputMicros: 1_000_000, outputMicros: 2_000_000 },
    });
    const { id } = await f.start();
    await f.segment();
    expect(await f.row(id)).toMatchObject({
      endReason: 'budget_exhausted',
      rounds: 1,
      costMicros: null,
      unpricedAnswers: 1,
    });
  });
});

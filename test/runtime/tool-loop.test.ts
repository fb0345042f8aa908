import { describe, expect, it } from 'vitest';
import type { Message } from '../../src-main/domain/message.ts';
import { MAX_CONTENT_BYTES } from '../../src-main/domain/bounded-text.ts';
import { call } from '../support/fake-model.ts';
import { OWNER } from '../support/runtime.ts';
import { danglingCalls } from '../support/transcripts.ts';
import { SECRET } from '../support/tool-world.ts';
import { useRuntime } from '../support/use-runtime.ts';

const toolMessages = (messages: Message[] | undefined) =>
  (messages ?? []).flatMap((message) => (message.role === 'tool' ? [message] : []));

describe('the tool loop', () => {
  const open = useRuntime();

  it('R-1 and R-121 return the answer of a response without calls and settle the run completed', async () => {
    const f = open([{ text: 'Nothing to do.' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({
      status: 'completed',
      endReason: 'completed',
      rounds: 1,
      isTruncated: false,
    });
    expect(await f.runtime.result(OWNER, id)).toEqual({ v: 1, answer: 'Nothing to do.', failure: '' });
  });

  it('R-14 and R-124 sum rounds, tokens and cost over the answers and store the events in order', async () => {
    const f = open([
      { calls: [call('read_x', { key: 'title' })], inputTokens: 10, outputTokens: 5, costMicros: 30_000 },
      { text: 'done', inputTokens: 3, outputTokens: 2, costMicros: 20_000 },
    ]);
    const { id } = await f.start();
    await f.segment();
    const row = await f.row(id);
    expect(row).toMatchObject({ rounds: 2, inputTokens: 13, outputTokens: 7, costMicros: 50_000 });
    expect(row.finishedAtMs).toBe(f.clock.nowMs());
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'llm', 'tool', 'request', 'llm', 'finished']);
  });

  it('D-04 keeps an unknown cost apart from a cost of nothing', async () => {
    const unknown = open([{ text: 'done' }]);
    const free = open([{ text: 'done', costMicros: 0 }]);
    const [first, second] = [await unknown.start(), await free.start()];
    await unknown.segment();
    await free.segment();
    expect((await unknown.row(first.id)).costMicros).toBeNull();
    expect((await free.row(second.id)).costMicros).toBe(0);
  });

  it.each([
    ['R-5', 50, 20],
    ['R-5', 3, 3],
    ['R-6', null, 5],
  ])('%s with a limit of %s stops after %s tool rounds and one answer without tools', async (_, maxRounds, rounds) => {
    const f = open((request) =>
      request.tools.length > 0 ? { calls: [call('read_x', { key: 'title' })] } : { text: 'summed up' },
    );
    const { id } = await f.start({ maxRounds });
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests).toHaveLength(rounds + 1);
    expect(await f.row(id)).toMatchObject({ rounds, endReason: 'max_iterations', isTruncated: true });
  });

  it('R-123 closes with one answer without tools, recorded as the round after the limit, its usage added', async () => {
    const asks = { calls: [call('read_x', { key: 'title' })], inputTokens: 10, outputTokens: 1 };
    const f = open([asks, asks, { text: 'summed up', inputTokens: 100, outputTokens: 7 }]);
    const { id } = await f.start({ maxRounds: 2 });
    await f.segment();
    expect(await f.row(id)).toMatchObject({ rounds: 2, inputTokens: 120, outputTokens: 9, isTruncated: true });
    expect(f.model.requests.at(-1)?.tools).toEqual([]);
    const last = (await f.events(id)).findLast((event) => event.kind === 'llm');
    expect(last?.round).toBe(3);
    expect((await f.runtime.result(OWNER, id))?.answer).toBe('summed up');
  });

  it('R-125 answers an unknown tool with an error and goes on', async () => {
    const f = open([{ calls: [call('no_such_tool', {})] }, { text: 'I see' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(toolMessages(f.model.requests[1]?.messages)).toMatchObject([{ isError: true, toolName: 'no_such_tool' }]);
    expect(f.world.executed).toEqual([]);
    expect((await f.events(id)).find((event) => event.kind === 'tool')?.payload).toMatchObject({ toolIsError: true });
  });

  it('R-126 refuses a tool that is registered and not offered', async () => {
    const f = open([{ calls: [call('boom_x', {})] }, { text: 'I see' }]);
    await f.start({ allowedToolNames: ['read_x'] });
    expect(await f.segment()).toBe('completed');
    expect(toolMessages(f.model.requests[1]?.messages)[0]?.content).toContain('not permitted');
    expect(f.world.executed).toEqual([]);
  });

  it('R-127 tells the model that a tool failed and nothing of why; the log has the whole error', async () => {
    const f = open([{ calls: [call('boom_x', {})] }, { text: 'I see' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    const [answer] = toolMessages(f.model.requests[1]?.messages);
    expect(answer).toMatchObject({ isError: true });
    expect(JSON.stringify([f.model.requests, await f.events(id)])).not.toContain(SECRET);
    expect(f.reports.map(({ error }) => String(error))).toEqual([expect.stringContaining(SECRET)]);
  });

  it.each([
    ['an empty wish', { allowedToolNames: [] }, {}],
    ['only tools that are switched off', { allowedToolNames: ['read_x'] }, { disabledTools: ['read_x'] }],
  ])('R-128 and R-147 make exactly one plain completion in round 1 for %s', async (_, changes, settings) => {
    const f = open([{ text: 'plain' }], settings);
    const { id } = await f.start(changes);
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests.map((request) => request.tools)).toEqual([[]]);
    expect(await f.row(id)).toMatchObject({ rounds: 1, endReason: 'completed', isTruncated: false });
    const steps = (await f.events(id)).filter((event) => event.kind === 'request' || event.kind === 'llm');
    expect(steps.map((event) => [event.kind, event.round])).toEqual([
      ['request', 1],
      ['llm', 1],
    ]);
  });

  it('R-128 executes nothing a model asks for although it was offered no tool', async () => {
    const f = open([{ text: 'plain', calls: [call('read_x', { key: 'title' })] }]);
    await f.start({ allowedToolNames: [] });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
  });

  it('R-149 R-155 records a tool that reports an error as an error step, without a write, and completes', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }, { text: 'I see' }]);
    const write = {
      target: { kind: 'file', workspace: 'site', path: 'a' },
      kind: 'updated',
      completeness: 'complete',
    } as const;
    f.world.resultOf = () => ({ outcome: 'failed', content: 'no such key', write });
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    const events = await f.events(id);
    expect(events.find((event) => event.kind === 'tool')?.payload).toMatchObject({
      toolIsError: true,
      outcome: 'failed',
    });
    // whatever is attached to an error result, it names no write.
    expect(events.some((event) => event.kind === 'tool_write')).toBe(false);
  });

  it('R-151 and R-152 cut a long result to 50 000 bytes with a marker and leave one of exactly that size alone', async () => {
    const reads = [call('read_x', { key: 'long' }, 'c1'), call('read_x', { key: 'fits' }, 'c2')];
    const f = open([{ calls: reads }, { text: 'I see' }]);
    f.world.values.set('long', `START${'ü'.repeat(30_000)}`);
    f.world.values.set('fits', 'x'.repeat(MAX_CONTENT_BYTES));
    await f.start();
    await f.segment();
    const [long, fits] = toolMessages(f.model.requests[1]?.messages).map((message) => message.content);
    expect(Buffer.byteLength(long ?? '')).toBeLessThanOrEqual(50_000);
    expect(Buffer.byteLength(long ?? '')).toBeGreaterThan(49_900);
    expect(long).toMatch(/^START/);
    expect(long).toContain('60005 bytes');
    expect(fits).toBe('x'.repeat(50_000));
  });

  it('R-159 offers only what both the caller asks for and the configuration grants, in the order of the registry', async () => {
    const f = open([{ text: 'done' }], { toolGroups: ['records'] });
    await f.start({ allowedToolNames: ['set_x', 'boom_x', 'invented', 'read_x'] });
    await f.segment();
    expect(f.model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['read_x', 'set_x']);
  });

  it('R-207 sends every question under the id of its run', async () => {
    const f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    await f.segment();
    expect(f.model.requests.map((request) => request.runId)).toEqual([id, id]);
  });

  it('T-29, T-32 and T-34 sends nothing in which a call has not exactly one result, however often a model uses an id', async () => {
    const turn = [
      call('read_x', { key: 'title' }, 'same'),
      call('read_x', { key: 'body' }, 'same'),
      call('nothing', {}, ''),
      { id: 'bad', name: 'read_x', argumentsText: '{"key":' },
    ];
    const f = open([{ calls: turn }, { calls: turn }, { text: 'done' }]);
    await f.start();
    await f.segment();
    for (const { messages } of f.model.requests) {
      expect(danglingCalls(messages)).toEqual([]);
      for (const message of messages) {
        const ids = message.role === 'assistant' ? (message.toolCalls ?? []).map((asks) => asks.id) : [];
        expect(ids).toEqual([...new Set(ids)]);
      }
    }
    expect(toolMessages(f.model.requests[2]?.messages)).toHaveLength(8);
  });

  it('[L] 11.3 asks the gate again for each call, so a tool switched off in between does not run', async () => {
    // Reads that follow one another are asked about together, four at most.
    const reads = [1, 2, 3, 4].map((number) => call('read_x', { key: 'title' }, `c${number}`));
    const turn = [...reads, call('boom_x', {}, 'c5')];
    const f = open([{ calls: turn }, { text: 'done' }]);
    f.world.afterEffect = () => f.configure({ disabledTools: ['boom_x'] });
    await f.start();
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(reads.map(() => 'read_x'));
    expect(toolMessages(f.model.requests[1]?.messages)[4]?.content).toContain('not permitted');
    expect(f.model.requests[1]?.tools.map((tool) => tool.name)).not.toContain('boom_x');
  });

  it('ends no run with half an answer: a stream without its end is a failure', async () => {
    const f = open([]);
    f.ports.modelFor = async () => ({
      async *complete() {
        yield { type: 'text', text: 'half an' } as const;
      },
    });
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'internal_error', rounds: 0 });
  });
});

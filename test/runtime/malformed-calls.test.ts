import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { useRuntime } from '../support/use-runtime.ts';

const broken = (argumentsText: string, id = 'c1') => ({ id, name: 'set_x', argumentsText });

describe('malformed calls (X-13, D-12, R-173)', () => {
  const open = useRuntime();

  it.each([
    ['no JSON', '{"key": "title", "value":', 'not valid JSON'],
    ['a list', '["title"]', 'not a JSON object'],
    ['an unknown argument', '{"key":"title","value":"n","evil":1}', 'do not fit set_x'],
    ['a missing argument', '{"key":"title"}', 'do not fit set_x'],
    ['a wrong type', '{"key":"title","value":3}', 'do not fit set_x'],
    ['nothing where something is required', '', 'do not fit set_x'],
    ['a number JSON cannot keep', '{"key":"title","value":"n","id":9007199254740993}', 'cannot be taken'],
  ])('X-13 shows no card for a write with %s, executes nothing and tells the model', async (_, text, told) => {
    const f = open([{ calls: [broken(text)] }, { text: 'sorry' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect(f.world.planned).toEqual([]);
    expect(await f.kinds(id)).not.toContain('suspended');
    const answer = f.model.requests[1]?.messages.at(-1);
    expect(answer).toMatchObject({ role: 'tool', callId: 'c1', isError: true, content: expect.stringContaining(told) });
  });

  it('X-13 goes on after a turn of only malformed calls and counts it as a round', async () => {
    const f = open([{ calls: [broken('{'), broken('[]', 'c2')] }, { text: 'better' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ rounds: 2, endReason: 'completed' });
    expect(f.model.requests[1]?.messages.filter((message) => message.role === 'tool')).toHaveLength(2);
  });

  it('X-13 puts only the well-formed calls of a mixed turn on the card and answers each call once', async () => {
    const f = open([
      { calls: [broken('{', 'bad'), call('set_x', { key: 'title', value: 'n' }, 'good')] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.store.pendingTurn(id))?.calls.map((pending) => pending.id)).toEqual(['good']);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('n');
    const answers = f.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.callId] : [],
    );
    expect(answers).toEqual(['bad', 'good']);
  });

  it('X-13 executes the first of two calls with one id and tells the model about the second', async () => {
    const twice = [call('read_x', { key: 'title' }, 'same'), call('read_x', { key: 'body' }, 'same')];
    const f = open([{ calls: twice }, { text: 'done' }]);
    await f.start();
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args)).toEqual([{ key: 'title' }]);
    const answers = f.model.requests[1]?.messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
    expect(answers).toHaveLength(2);
    expect(new Set(answers?.map((answer) => answer.callId)).size).toBe(2);
    expect(answers?.filter((answer) => answer.isError)[0]?.content).toContain('same id');
  });

  it('X-13 gives a call an id of its own whose id no window could name when it asks what became of its write', async () => {
    const [long, longest] = ['x'.repeat(257), 'x'.repeat(256)];
    const args = { key: 'title', value: 'n' };
    const f = open([{ calls: [call('set_x', args, long), call('set_x', args, longest)] }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.store.pendingTurn(id))?.calls.map((each) => each.id)).toEqual(['call-1', longest]);
  });

  it('X-13 shows one card for a write that is sent twice under one id', async () => {
    const twice = [
      call('set_x', { key: 'title', value: 'first' }, 'same'),
      call('set_x', { key: 'title', value: 'second' }, 'same'),
    ];
    const f = open([{ calls: twice }, { text: 'done' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.store.pendingTurn(id))?.calls).toHaveLength(1);
    await f.approve(id);
    await f.segment();
    expect(f.world.values.get('title')).toBe('first');
  });

  it('X-13 refuses a turn with a write and more calls than a person could review, whole', async () => {
    const many = Array.from({ length: 65 }, (_, index) => call('set_x', { key: `k${index}`, value: 'v' }, `c${index}`));
    const f = open([{ calls: many }, { text: 'fewer then' }]);
    await f.start();
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect(f.model.requests[1]?.messages.filter((message) => message.role === 'tool' && message.isError)).toHaveLength(
      65,
    );
  });

  it('X-13 carries out none of more reads than one turn may hold, and ends a run whose model asks for thousands', async () => {
    const reads = (count: number) =>
      Array.from({ length: count }, (_, index) => call('read_x', { key: 'title' }, `c${index}`));
    const f = open([{ calls: reads(65) }, { calls: reads(1_001) }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(f.world.executed).toEqual([]);
    expect(f.model.requests).toHaveLength(2);
    expect(await f.row(id)).toMatchObject({ endReason: 'not_retryable', errorClass: 'ModelError:clientError' });
    expect(await f.store.transcript(id)).toEqual([]);
  });

  it('R-173 takes no arguments at all as an empty object', async () => {
    const f = open([{ calls: [{ id: 'c1', name: 'boom_x', argumentsText: '' }] }, { text: 'done' }]);
    await f.start();
    await f.segment();
    expect(f.world.executed).toMatchObject([{ tool: 'boom_x', args: {} }]);
  });

  it('R-173 stores text with half a character in it instead of failing the run', async () => {
    const f = open(
      [{ text: 'broken \ud800 half', calls: [call('read_x', { key: 'title' }, 'c\udc00')] }, { text: 'ok' }],
      {
        privacy: 'full',
      },
    );
    const { id } = await f.start({ prompt: 'half \ud83d' });
    expect(await f.segment()).toBe('completed');
    expect(JSON.stringify(await f.events(id))).toContain('broken \ufffd half');
  });
});

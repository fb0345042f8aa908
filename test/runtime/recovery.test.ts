import { describe, expect, it } from 'vitest';
import { WorkerStopping } from '../../src-main/runtime/execute-segment.ts';
import { call } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const setBody = call('set_x', { key: 'body', value: 'new body' }, 'set_body');
const readBody = call('read_x', { key: 'body' });
const makePage = call('make_x', { name: 'page' });

async function approved(f: RuntimeFixture, confirmsBlind = false): Promise<string> {
  const { id } = await f.start();
  expect(await f.segment()).toBe('awaiting_approval');
  expect(await f.approve(id, OWNER, { confirmsBlind })).toMatchObject({ ok: true });
  return id;
}

const cards = async (f: RuntimeFixture, id: string) =>
  (await f.kinds(id)).filter((kind) => kind === 'suspended' || kind === 'approval').join(' ');
const writes = (f: RuntimeFixture) => f.world.executed.filter(({ tool }) => tool !== 'read_x').length;

describe('recovering an interrupted approved call (architecture 5a)', () => {
  const open = useRuntime();

  it('executes once when the target still shows what was there before', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await approved(f);
    expect(await f.dieAt('after_fence_before_effect')).toMatchObject({
      status: 'queued',
      recoverCallId: 'set_x',
      segment: 'resume',
      decisionNumber: 1,
      fenceEffect: '',
    });
    expect(await f.segment()).toBe('completed');
    expect(writes(f)).toBe(1);
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.kinds(id)).toEqual(expect.arrayContaining(['reclaimed', 'tool', 'tool_write']));
    expect(await cards(f, id)).toBe('suspended approval');
    expect(await f.store.uncertainWrites()).toEqual([]);
  });

  it('records a write that had already happened and does not write again', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await approved(f);
    await f.dieAt('after_effect_before_result');
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.segment()).toBe('completed');
    expect(writes(f)).toBe(1);
    const events = await f.events(id);
    expect(events.find((event) => event.kind === 'tool')?.payload).toMatchObject({ outcome: 'ok', recovered: true });
    expect(events.find((event) => event.kind === 'tool_write')?.payload).toMatchObject({
      kind: 'updated',
      target: { key: { name: 'title' } },
    });
    const told = f.model.requests[1]?.messages.at(-1);
    expect(told).toMatchObject({ isError: false, content: expect.stringContaining('already applied (recovered)') });
    expect(await cards(f, id)).toBe('suspended approval');
    expect(await f.row(id)).toMatchObject({ recoverCallId: '', requeueCount: 1, rounds: 2 });
  });

  it('ends the run with a write to check when the target shows neither state, without a second card', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await approved(f);
    await f.dieAt('after_effect_before_result');
    f.world.values.set('title', 'edited by a person');
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'interrupted_resume' });
    expect(await f.store.uncertainWrites()).toMatchObject([
      { runId: id, callId: 'set_x', cause: 'footprint_unknown', target: { key: { name: 'title' } } },
    ]);
    expect(f.world.values.get('title')).toBe('edited by a person');
    expect(await cards(f, id)).toBe('suspended approval');
    expect((await f.runtime.result(OWNER, id))?.failure).toContain('Check the record by hand');
  });

  it('ends the run with a write to check when there is no footprint to compare with', async () => {
    const f = open([{ calls: [setTitle] }]);
    f.world.planFault = new Error('no preview today');
    const id = await approved(f, true);
    f.world.planFault = null;
    await f.dieAt('after_fence_before_effect');
    expect(await f.segment()).toBe('failed');
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x' }]);
    expect(writes(f)).toBe(0);
  });

  it('R-111, H-167 and X-2 never repeat a write that is not idempotent: listed at once, whatever happened', async () => {
    const f = open([{ calls: [makePage] }]);
    const id = await approved(f);
    expect(await f.dieAt('after_effect_before_result')).toMatchObject({
      status: 'failed',
      endReason: 'not_retryable',
    });
    expect(f.world.made).toEqual(['page']);
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'make_x', toolName: 'make_x' }]);
    expect(await f.store.nextDueAtMs()).toBeNull();
  });

  it('continues a partly executed turn with its open calls only', async () => {
    const f = open([{ calls: [readBody, setTitle, setBody] }, { text: 'done' }]);
    const id = await approved(f);
    let fences = 0;
    await f.dieAt((kind) => kind === 'stamp_fence' && (fences += 1) === 2);
    expect(f.world.values.get('title')).toBe('new title');
    // A person edits what is done already: it must neither bounce the rest nor be written again.
    f.world.values.set('title', 'edited by a person');
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool, args }) => [tool, args.key])).toEqual([
      ['read_x', 'body'],
      ['set_x', 'title'],
      ['set_x', 'body'],
    ]);
    expect(Object.fromEntries(f.world.values)).toEqual({ title: 'edited by a person', body: 'new body' });
    expect(await cards(f, id)).toBe('suspended approval');
    const answers = f.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.callId] : [],
    );
    expect(answers).toEqual(['read_x', 'set_x', 'set_body']);
  });

  it('recovers a write in the middle of a turn and goes on with the calls after it', async () => {
    const f = open([{ calls: [setTitle, setBody] }, { text: 'done' }]);
    await approved(f);
    await f.dieAt('after_effect_before_result');
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args.key)).toEqual(['title', 'body']);
    expect(f.world.values.get('body')).toBe('new body');
  });

  it('guards the open calls of a started turn by their own footprints instead of a second card', async () => {
    const f = open([{ calls: [setTitle, setBody] }, { text: 'I see' }]);
    const id = await approved(f);
    await f.dieAt('after_effect_before_result');
    f.world.values.set('body', 'edited by a person');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('body')).toBe('edited by a person');
    const outcomes = (await f.events(id)).flatMap((event) => (event.kind === 'tool' ? [event.payload.outcome] : []));
    expect(outcomes).toEqual(['ok', 'changed']);
  });

  it('survives dying again while it recovers', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    await approved(f);
    await f.dieAt('after_effect_before_result');
    await f.dieAt((kind) => kind === 'record_step');
    expect(await f.segment()).toBe('completed');
    expect(writes(f)).toBe(1);
  });

  it('5a and T-15 keeps a decision through a death before its first call, compares again and asks nobody twice', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await approved(f);
    await f.dieAt('before_fence');
    expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1, recoverCallId: '', requeueCount: 0 });
    expect(await f.segment()).toBe('completed');
    expect(await cards(f, id)).toBe('suspended approval');
    expect(writes(f)).toBe(1);
  });

  it('H-168 sends a turn back when it changed while the run lay dead and nothing of it ran', async () => {
    const f = open([{ calls: [setTitle] }]);
    await approved(f);
    await f.dieAt('before_fence');
    f.world.values.set('title', 'edited by a person');
    expect(await f.segment()).toBe('awaiting_approval');
    expect(writes(f)).toBe(0);
  });

  it('finishes a denial that was interrupted', async () => {
    const f = open([{ calls: [readBody, setTitle] }, { text: 'understood' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    let steps = 0;
    await f.dieAt((kind) => kind === 'record_step' && (steps += 1) === 2);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect((await f.events(id)).filter((event) => event.kind === 'tool')).toHaveLength(2);
  });

  it('X-17 never restarts a run from its request once it was suspended', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'never stored' }, { text: 'done' }]);
    const id = await approved(f);
    let steps = 0;
    await f.dieAt((kind) => kind === 'record_step' && (steps += 1) === 2);
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.segment()).toBe('completed');
    expect(writes(f)).toBe(1);
    expect(f.model.requests).toHaveLength(3);
    expect(f.model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'title is set' });
    expect((await f.row(id)).rounds).toBe(2);
  });

  it('R-113 takes an abandoned run of a person who waited up again at its checkpoint', async () => {
    const f = open([{ calls: [readBody] }, { text: 'done' }, { text: 'done' }]);
    const { id } = await f.start();
    f.database.prepare("update runs set mode = 'interactive' where id = ?").run(id);
    // The last answer is there, and not stored.
    const back = await f.dieAt((kind) => kind === 'complete');
    expect(back).toMatchObject({ status: 'queued', mode: 'interactive', segment: 'retry', rounds: 1 });
    expect(await f.store.request(id)).not.toBeNull();
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests).toHaveLength(3);
    expect(f.world.executed).toHaveLength(1);
  });

  it('takes up a stored answer without asking the model twice', async () => {
    const f = open([{ calls: [readBody] }, { text: 'done' }]);
    await f.start();
    let steps = 0;
    // 1 the answer, 2 the result of the read.
    await f.dieAt((kind) => kind === 'record_step' && (steps += 1) === 2);
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests).toHaveLength(2);
  });

  it.each([
    ['completed', null, [{ text: 'the answer' }], 1],
    ['max_iterations', 1, [{ calls: [readBody] }, { text: 'the answer' }], 1],
    ['completed', 2, [{ calls: [readBody] }, { text: 'the answer' }], 2],
  ])('ends with a stored last answer (%s) instead of asking once more', async (endReason, maxRounds, turns, rounds) => {
    const f = open(turns);
    const { id } = await f.start({ maxRounds });
    // Together they cannot be stored, so the answer is stored first; then the worker dies.
    const { transitionPair } = f.ports.store;
    f.ports.store.transitionPair = () => Promise.reject(new Error('disk I/O error'));
    await f.dieAt((kind) => kind === 'complete');
    f.ports.store.transitionPair = transitionPair;
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests).toHaveLength(turns.length);
    expect(await f.row(id)).toMatchObject({ status: 'completed', endReason, rounds });
    expect((await f.runtime.result(OWNER, id))?.answer).toBe('the answer');
  });

  it('suspends from a stored answer when the worker died before the pause', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    // Together they cannot be stored, so the answer is stored first; then the worker dies.
    const { transitionPair } = f.ports.store;
    f.ports.store.transitionPair = () => Promise.reject(new Error('disk I/O error'));
    await f.dieAt((kind) => kind === 'suspend');
    f.ports.store.transitionPair = transitionPair;
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.model.requests).toHaveLength(1);
    expect((await f.row(id)).rounds).toBe(1);
  });

  it('asks the model again when the worker died before answer and pause were stored', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.dieAt('before_suspend');
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.model.requests).toHaveLength(2);
    expect(await f.row(id)).toMatchObject({ rounds: 1, previewRevision: 1 });
    expect((await f.kinds(id)).filter((kind) => kind === 'llm' || kind === 'suspended')).toEqual(['llm', 'suspended']);
  });

  it.each(['fails', 'is stopped'])('keeps the answer that was paid for when its planning %s', async (how) => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    const stopping = new AbortController();
    f.ports.tools.planTurn = async () => {
      if (how === 'fails') throw new Error('no such plan');
      stopping.abort(new WorkerStopping());
      return [];
    };
    await f.segment(stopping.signal);
    expect(await f.kinds(id)).toContain('llm');
    expect((await f.row(id)).rounds).toBe(1);
  });
});

describe('a write that its deadline ended', () => {
  const open = useRuntime();
  const stopped = { outcome: 'cancelled', content: '', write: null, isUncertain: true } as const;

  it('is told to the model as not written when the target still shows the state before', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'I see' }]);
    const id = await approved(f);
    f.world.resultOf = (tool) => {
      f.world.values.set('title', 'old title');
      return tool === 'set_x' ? stopped : { outcome: 'ok', content: '', write: null };
    };
    expect(await f.segment()).toBe('completed');
    expect((await f.events(id)).find((event) => event.kind === 'tool')?.payload).toMatchObject({ outcome: 'failed' });
    expect(f.model.requests[1]?.messages.at(-1)).toMatchObject({
      content: expect.stringContaining('Nothing was written'),
    });
    expect(await f.store.uncertainWrites()).toEqual([]);
  });

  it('is recorded as applied when the target shows the proposed state', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'I see' }]);
    const id = await approved(f);
    f.world.resultOf = () => stopped;
    expect(await f.segment()).toBe('completed');
    expect(await f.kinds(id)).toContain('tool_write');
  });

  it('ends the run with a write to check when it is not idempotent', async () => {
    const f = open([{ calls: [makePage] }]);
    const id = await approved(f);
    f.world.resultOf = () => stopped;
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'interrupted_resume' });
    expect(await f.store.uncertainWrites()).toMatchObject([{ callId: 'make_x', cause: 'interrupted' }]);
  });
});

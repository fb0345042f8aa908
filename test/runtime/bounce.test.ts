import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { COLLEAGUE, OWNER } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const setBody = call('set_x', { key: 'body', value: 'new body' }, 'set_body');
const readBody = call('read_x', { key: 'body' });

describe('comparing an approved turn with its target', () => {
  const open = useRuntime();

  it('H-171 executes when nothing changed', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const shown = (await f.store.pendingTurn(id))?.previews[0]?.footprint;
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
    expect(shown).toMatchObject({ before: expect.any(String) });
    expect(f.world.executed[0]?.expected).toEqual(shown);
  });

  it('H-172 and H-181 execute nothing of the turn, reads included, and show the current state on the next card', async () => {
    const f = open([{ calls: [readBody, setTitle, setBody], inputTokens: 5, outputTokens: 5 }, { text: 'done' }]);
    const { id } = await f.start({ allowedToolNames: ['read_x', 'set_x'] });
    await f.segment();
    const first = await f.row(id);
    const transcript = await f.store.transcript(id);
    const request = await f.store.request(id);
    await f.approve(id);
    f.world.values.set('title', 'edited by a person');
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.executed).toEqual([]);
    const second = await f.row(id);
    expect(second).toMatchObject({
      status: 'waiting_for_approval',
      previewRevision: first.previewRevision + 1,
      bounceCount: 1,
      turnDigest: first.turnDigest,
      rounds: 1,
      inputTokens: 5,
      outputTokens: 5,
    });
    expect(await f.store.transcript(id)).toEqual(transcript);
    expect(await f.store.request(id)).toEqual(request);
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.map((shown) => shown.isStale)).toEqual([false, true, false]);
    expect(card?.calls?.[1]?.preview).toMatchObject({
      changes: [{ before: 'edited by a person', after: 'new title' }],
    });
    expect(card).toMatchObject({ bounceCount: 1, turnDigest: first.turnDigest });
    expect(f.model.requests).toHaveLength(1);
  });

  it('H-174 executes when only something changed that the write does not depend on', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.hidden.set('title', 'touched');
    f.world.values.set('body', 'edited by a person');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
  });

  it('H-175 compares nothing of a write whose preview failed at the pause, and hands it on as seen by nobody', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    f.world.planFault = new Error('no preview today');
    const { id } = await f.start();
    await f.segment();
    f.world.planFault = null;
    const blind = { kind: 'blind_not_confirmed', toolNames: ['set_x'] };
    expect(await f.approve(id)).toEqual({ ok: false, refusal: blind });
    await f.approve(id, OWNER, { confirmsBlind: true });
    expect((await f.events(id)).find((event) => event.kind === 'approval')?.payload.blind).toBe(true);
    expect(await f.segment()).toBe('completed');
    expect(f.world.planned).toHaveLength(1);
    expect(f.world.executed).toMatchObject([{ tool: 'set_x', expected: null }]);
    expect(f.world.values.get('title')).toBe('old title');
  });

  it('H-175 hands a write no footprint of a preview that failed, and compares none: nobody saw what it would change', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    f.world.hidesPreview = true;
    const { id } = await f.start();
    await f.segment();
    expect((await f.store.pendingTurn(id))?.previews[0]?.footprint).not.toBeNull();
    await f.approve(id, OWNER, { confirmsBlind: true });
    f.world.values.set('title', 'edited by a person');
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toMatchObject([{ tool: 'set_x', expected: null }]);
  });

  it('H-176 sends the turn back when its preview breaks at the comparison, naming the class only', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.planFault = new TypeError('secret path');
    expect(await f.segment()).toBe('awaiting_approval');
    const card = JSON.stringify((await f.runtime.pendingDecision(OWNER, id))?.calls);
    expect(card).toContain('TypeError');
    expect(card).not.toContain('secret path');
    expect(await f.runtime.pendingDecision(OWNER, id)).toMatchObject({ bounceCount: 1, calls: [{ isStale: true }] });
  });

  it('H-179 executes the bounced turn when it is approved again and nothing changed since', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.values.set('title', 'edited by a person');
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
    expect(f.world.executed).toHaveLength(1);
  });

  it('H-093 refuses an approval from a window that still shows the old preview', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const old = await f.runtime.pendingDecision(OWNER, id);
    await f.approve(id);
    f.world.values.set('title', 'edited by a person');
    await f.segment();
    const before = [await f.row(id), await f.events(id)];
    const result = await f.runtime.approve(OWNER, id, {
      turnDigest: old?.turnDigest ?? null,
      previewRevision: old?.previewRevision ?? null,
    });
    expect(result).toEqual({ ok: false, refusal: { kind: 'stale_preview', currentRevision: 2 } });
    expect([await f.row(id), await f.events(id)]).toEqual(before);
  });

  it('H-184 records a bounce with indexes and no values, and names the decision that does not count', async () => {
    const f = open([{ calls: [readBody, setTitle] }], { privacy: 'metadata' });
    const { id } = await f.start();
    await f.segment();
    await f.approve(id, COLLEAGUE);
    f.world.values.set('title', 'edited by a person');
    await f.segment();
    const events = await f.events(id);
    const bounced = events.find((event) => event.kind === 'approval_bounced');
    expect(bounced?.payload).toEqual({ decisionNumber: 1, staleCallIndexes: [1] });
    expect((await f.row(id)).decisionNumber).toBe(0);
    expect(JSON.stringify(events)).not.toContain('edited by a person');
  });

  it('H-185 counts every bounce', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    for (const value of ['one', 'two', 'three']) {
      await f.approve(id);
      f.world.values.set('title', value);
      expect(await f.segment()).toBe('awaiting_approval');
    }
    expect((await f.runtime.pendingDecision(OWNER, id))?.bounceCount).toBe(3);
  });

  it('tells the model when the target changes between the comparison and the write; nothing is written', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'I see' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = () => void f.world.values.set('title', 'edited just now');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('edited just now');
    expect((await f.events(id)).find((event) => event.kind === 'tool')?.payload).toMatchObject({ outcome: 'changed' });
    expect(await f.kinds(id)).not.toContain('tool_write');
    expect(await f.store.uncertainWrites()).toEqual([]);
  });
});

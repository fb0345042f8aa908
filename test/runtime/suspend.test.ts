import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { OWNER } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const readBody = call('read_x', { key: 'body' });

describe('suspending for a person', () => {
  const open = useRuntime();

  it('H-020 and R-130 hold a call to a marked tool: not executed, transcript ends with the turn, totals kept', async () => {
    const f = open([{ text: 'Shall I?', calls: [call('mark_x', { key: 'title' })], inputTokens: 7, outputTokens: 3 }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.executed).toEqual([]);
    expect((await f.store.transcript(id)).at(-1)).toEqual({
      role: 'assistant',
      content: 'Shall I?',
      toolCalls: [{ id: 'mark_x', name: 'mark_x', arguments: { key: 'title' } }],
    });
    expect(await f.row(id)).toMatchObject({
      status: 'waiting_for_approval',
      rounds: 1,
      inputTokens: 7,
      outputTokens: 3,
      pendingTool: 'mark_x',
      pendingEffect: 'read_only',
    });
  });

  it('H-021 holds the whole turn, reads included and in order, before anything of it ran', async () => {
    const f = open([{ calls: [readBody, setTitle] }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.executed).toEqual([]);
    expect((await f.store.pendingTurn(id))?.calls.map((pending) => pending.name)).toEqual(['read_x', 'set_x']);
  });

  it.each([
    ['set_x', { key: 'title', value: 'n' }, 'idempotent_write'],
    ['make_x', { name: 'page' }, 'non_idempotent_write'],
  ])('R-131 suspends for %s, which declares a write and carries no marker', async (name, args, effect) => {
    const f = open([{ calls: [call(name, args)] }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.row(id)).pendingEffect).toBe(effect);
  });

  it('R-131 runs a read without asking anybody', async () => {
    const f = open([{ calls: [readBody] }, { text: 'done' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await f.kinds(id)).not.toContain('suspended');
  });

  it.each([
    ['the caller does not ask for it', { allowedToolNames: ['read_x'] }, {}],
    ['the configuration switches it off', {}, { disabledTools: ['set_x'] }],
    ['the configuration does not grant its group', {}, { toolGroups: ['other'] }],
  ])('H-024 and R-133 refuse a write instead of pausing when %s', async (_, changes, settings) => {
    const f = open([{ calls: [setTitle] }, { text: 'I see' }], settings);
    const { id } = await f.start(changes);
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
    expect(await f.kinds(id)).not.toContain('suspended');
    expect(f.world.executed).toEqual([]);
  });

  it('H-028 offers an admin-only write to administrators only', async () => {
    const turn = { calls: [call('admin_x', { key: 'title', value: 'n' })] };
    const asOwner = open([turn, { text: 'I see' }]);
    await asOwner.start();
    expect(await asOwner.segment()).toBe('completed');
    const asAdmin = open([turn]);
    await asAdmin.start({}, { kind: 'operator', operatorId: 1 });
    expect(await asAdmin.segment()).toBe('awaiting_approval');
  });

  it('H-034 returns the pause as a value', async () => {
    const f = open([{ calls: [setTitle] }]);
    await f.start();
    await expect(f.segment()).resolves.toBe('awaiting_approval');
    expect(f.reports).toEqual([]);
  });

  it('R-56 and H-039 leave no claim, no lease and no fence on the waiting row', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    expect(await f.row(id)).toMatchObject({
      ownerToken: '',
      workerId: '',
      leaseExpiresAtMs: 0,
      fenceEffect: '',
      phase: '',
    });
    expect(await f.store.runningClaims()).toEqual([]);
  });

  it('R-53 and H-036 end the run with suspend_failed and no card when the pause cannot be stored', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    f.intercept = (kind) => (kind === 'suspend' ? Promise.reject(new Error('disk full')) : null);
    expect(await f.segment()).toBe('suspend_failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'suspend_failed' });
    expect(await f.runtime.inbox(OWNER)).toEqual([]);
    expect(f.reports.map(({ error }) => (error as Error).cause)).toEqual([new Error('disk full')]);
  });

  it('R-53 ends the run the same way when a preview cannot be stored as it is', async () => {
    const f = open([{ calls: [setTitle] }]);
    f.world.values.set('title', 'half \ud800 a character');
    const { tools } = f.ports;
    f.ports.tools = {
      ...tools,
      planTurn: async () => [
        {
          callId: 'set_x',
          toolName: 'set_x',
          preview: { kind: 'failed', reason: '\ud800' },
          target: null,
          footprint: null,
        },
      ],
    };
    const { id } = await f.start();
    expect(await f.segment()).toBe('suspend_failed');
    expect((await f.row(id)).endReason).toBe('suspend_failed');
  });

  it('T-51 touches nothing before the decision', async () => {
    const f = open([{ calls: [setTitle, call('make_x', { name: 'page' })] }]);
    await f.start();
    await f.segment();
    expect(Object.fromEntries(f.world.values)).toEqual({ title: 'old title', body: 'old body' });
    expect(f.world.made).toEqual([]);
  });

  it('T-57 has a card only for what was not done yet', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(f.world.executed).toEqual([]);
    await f.approve(id);
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
    const late = { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
    expect(await f.deny(id, OWNER, late)).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
    expect(f.world.values.get('title')).toBe('new title');
  });

  it('T-72 takes no call for done because the model has said all of it', async () => {
    const f = open([{ calls: [readBody, setTitle] }, { text: 'understood' }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.store.transcript(id)).filter(({ role }) => role === 'tool')).toEqual([]);
    expect(await f.kinds(id)).not.toContain('tool');
    await f.deny(id);
    expect(await f.segment()).toBe('completed');
    const steps = (await f.events(id)).filter(({ kind }) => kind === 'tool');
    expect(steps.map(({ payload }) => payload.outcome)).toEqual(['refused', 'refused']);
  });

  it('T-62 asks no model while a turn is pending', async () => {
    const f = open([{ calls: [setTitle] }]);
    await f.start();
    await f.segment();
    expect(f.model.requests).toHaveLength(1);
    expect(await f.store.nextDueAtMs()).toBeNull();
    await expect(f.segment()).rejects.toThrow('No run is due');
  });
});

describe('previews at the pause', () => {
  const open = useRuntime();

  it('H-062 stores no preview for a call that changes nothing and shows its arguments only', async () => {
    const f = open([{ calls: [readBody, setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.store.pendingTurn(id))?.previews.map((preview) => preview.toolName)).toEqual(['set_x']);
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.[0]).toMatchObject({ toolName: 'read_x', arguments: { key: 'body' }, preview: null });
    const suspended = (await f.events(id)).find((event) => event.kind === 'suspended');
    expect(suspended?.payload).toMatchObject({ tools: ['read_x', 'set_x'], failedPreviews: 0 });
  });

  it('H-063 names only the class of a broken preview on the card, logs the rest, and still waits', async () => {
    const f = open([{ calls: [setTitle] }]);
    f.world.planFault = new RangeError('secret path /srv/site');
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    const card = JSON.stringify(await f.runtime.pendingDecision(OWNER, id));
    expect(card).toContain('RangeError');
    expect(card).not.toContain('secret path');
    expect(JSON.stringify(await f.events(id))).not.toContain('secret path');
    expect(f.reports.map(({ error }) => String(error))).toEqual([expect.stringContaining('secret path')]);
  });

  it('H-064 shows why a preview is none, and counts it', async () => {
    const f = open([{ calls: [setTitle] }]);
    const reason = 'The preview is empty.';
    f.ports.tools.planTurn = async () => [
      { callId: 'set_x', toolName: 'set_x', preview: { kind: 'failed', reason }, target: null, footprint: null },
    ];
    const { id } = await f.start();
    await f.segment();
    expect((await f.runtime.pendingDecision(OWNER, id))?.calls?.[0]?.preview).toEqual({ kind: 'failed', reason });
    expect((await f.events(id)).at(-1)?.payload).toMatchObject({ failedPreviews: 1 });
  });

  it('H-065 and H-066 keep a preview whole and as it is; shortening is for the screen', async () => {
    // The reference cut at 20 lines and 500 characters and collapsed white space, so a change beyond was approved unseen.
    const value = Array.from({ length: 25 }, () => `\t${'x  y'.repeat(150)}`).join('\n');
    const f = open([{ calls: [call('set_x', { key: 'title', value })] }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.[0]?.preview).toMatchObject({ changes: [{ before: 'old title', after: value }] });
  });

  it('H-067 never previews a call that is not offered', async () => {
    const f = open([{ calls: [setTitle, call('admin_x', { key: 'title', value: 'n' })] }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.planned.map(({ tool }) => tool)).toEqual(['set_x']);
    expect((await f.store.pendingTurn(id))?.calls).toHaveLength(2);
    expect((await f.runtime.pendingDecision(OWNER, id))?.calls?.[1]).toMatchObject({
      toolName: 'admin_x',
      preview: null,
    });
  });

  it('shows two calls on one record each on the result of the one before', async () => {
    const f = open([
      { calls: [call('set_x', { key: 'title', value: 'a' }, 'c1'), call('set_x', { key: 'title', value: 'b' }, 'c2')] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.map((shown) => shown.preview)).toMatchObject([
      { changes: [{ before: 'old title', after: 'a' }] },
      { changes: [{ before: 'a', after: 'b' }] },
    ]);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('b');
  });

  it('H-069 shows the stored preview again without asking the tool', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const cards = [await f.runtime.pendingDecision(OWNER, id), await f.runtime.pendingDecision(OWNER, id)];
    expect(cards[1]).toEqual(cards[0]);
    expect(f.world.planned).toHaveLength(1);
  });
});

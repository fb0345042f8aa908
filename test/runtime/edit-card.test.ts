import { describe, expect, it } from 'vitest';
import { editWaitingCard } from '../../src-main/runtime/edit-card.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const OTHER = { key: 'title', value: 'a better title' };

describe('editing before approving', () => {
  const open = useRuntime();

  async function waiting(f: RuntimeFixture): Promise<string> {
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    return id;
  }
  async function edit(
    f: RuntimeFixture,
    id: string,
    edits: Record<string, typeof OTHER> = { set_x: OTHER },
    actor = OWNER,
  ) {
    const card = await f.runtime.pendingDecision(actor, id);
    const { store, catalogue, clock, tools, protectedPaths } = f.ports;
    const binding = { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
    return editWaitingCard({ store, catalogue, clock, tools, protectedPaths }, actor, id, { ...binding, edits });
  }

  it('T-56 runs exactly the edited arguments, and tells the model what ran', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    expect(await edit(f, id)).toMatchObject({
      ok: true,
      value: { status: 'waiting_for_approval', previewRevision: 2 },
    });
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.[0]).toMatchObject({
      arguments: OTHER,
      edit: { original: { key: 'title', value: 'new title' } },
    });
    expect(JSON.stringify(card?.calls?.[0]?.preview)).toContain('a better title');
    expect(f.world.executed).toEqual([]);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('a better title');
    const told = f.model.requests[1]?.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool', callId: 'set_x', isError: false });
    expect(told?.content).toMatch(/^A person changed the arguments.*a better title/);
    expect(f.model.requests[1]?.messages.at(-2)).toMatchObject({
      role: 'assistant',
      toolCalls: [{ arguments: { key: 'title', value: 'new title' } }],
    });
    const kinds = await f.kinds(id);
    expect(kinds.slice(kinds.indexOf('arguments_edited'))).toEqual([
      'arguments_edited',
      'suspended',
      'approval',
      'attempt',
      'tool',
      'tool_write',
      'request',
      'llm',
      'finished',
    ]);
    expect((await f.events(id)).find(({ kind }) => kind === 'tool')?.payload.edited).toBe(true);
  });

  it('leaves a decision about the card before it without effect', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    const before = await f.runtime.pendingDecision(ADMIN, id);
    await edit(f, id);
    const card = { turnDigest: before?.turnDigest ?? null, previewRevision: before?.previewRevision ?? null };
    expect(await f.runtime.approve(ADMIN, id, card)).toMatchObject({ refusal: { kind: 'stale_turn' } });
  });

  it('lets another person approve where a second one is wanted, and nobody who edited', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }], { requireSecondApprover: true });
    const id = await waiting(f);
    await edit(f, id, { set_x: OTHER }, ADMIN);
    for (const actor of [OWNER, ADMIN]) {
      expect(await f.approve(id, actor)).toMatchObject({ refusal: { kind: 'second_approver_required' } });
    }
    expect((await f.runtime.pendingDecision(ADMIN, id))?.approvalBar).toMatchObject({
      kind: 'second_approver_required',
    });
    f.setOperator(5, { isAdmin: true });
    expect(await f.approve(id, { kind: 'operator', operatorId: 5 })).toMatchObject({ ok: true });
  });

  it('is compared with the target as it was when the card was edited', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    f.world.values.set('title', 'somebody else was here');
    await edit(f, id);
    await f.approve(id);
    f.world.values.set('title', 'and again');
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.row(id)).bounceCount).toBe(1);
    expect((await f.runtime.pendingDecision(OWNER, id))?.calls?.[0]).toMatchObject({ arguments: OTHER });
  });

  it('goes on with the edited arguments after a worker died in the middle of the write', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    await edit(f, id);
    await f.approve(id);
    await f.dieAt('after_effect_before_result');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('a better title');
    expect(f.model.requests[1]?.messages.at(-1)?.content).toMatch(/^A person changed the arguments/);
  });

  it('T-84 makes a card anew whose tool is defined otherwise now, and only then lets it be approved', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    f.redefine('set_x', { description: 'It says more about itself now.' });
    expect(await f.approve(id)).toMatchObject({ refusal: { kind: 'stale_tool', toolName: 'set_x' } });
    expect((await f.runtime.pendingDecision(OWNER, id))?.approvalBar).toMatchObject({ kind: 'stale_tool' });
    expect(await edit(f, id, {})).toMatchObject({ ok: true });
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
  });

  it('T-84 sends an approved turn back when a tool was defined otherwise after the approval', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    await f.approve(id);
    f.redefine('set_x', { description: 'It says more about itself now.' });
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.executed).toEqual([]);
    expect(await f.kinds(id)).toContain('approval_bounced');
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
  });

  it('asks no tool about arguments that do not fit it', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    const planned = f.world.planned.length;
    const misfit = { key: 7, value: 'x' } as unknown as typeof OTHER;
    expect(await edit(f, id, { set_x: misfit })).toMatchObject({ refusal: { kind: 'invalid_arguments' } });
    expect(f.world.planned).toHaveLength(planned);
  });

  it('shows nothing and plans nothing for somebody who may not decide', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    const planned = f.world.planned.length;
    const stranger = { kind: 'operator', operatorId: 9 } as const;
    expect(await edit(f, id, { set_x: OTHER }, stranger)).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
    expect(await edit(f, 'no-such-run')).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
    expect(f.world.planned).toHaveLength(planned);
  });
});

describe('a call that was declined', () => {
  const open = useRuntime();

  it('T-53 is not shown again in its run, is counted, and says nothing to anybody else', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [setTitle] }, { calls: [setTitle] }, { text: 'I give up.' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id, OWNER, { note: 'Not before Friday.' });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect(f.model.requests[1]?.messages.at(-1)?.content).toContain('Their note: "Not before Friday."');
    expect(f.model.requests[2]?.messages.at(-1)?.content).toMatch(/declined before in this run/);
    const events = await f.events(id);
    expect(events.filter(({ kind }) => kind === 'suspended')).toHaveLength(1);
    expect(events.flatMap(({ payload }) => payload.deniedBefore ?? [])).toEqual([1, 2]);
    expect(JSON.stringify(events)).not.toContain('Friday');
  });

  it('T-68 with other arguments, or beside others, is a matter of its own', async () => {
    const other = call('set_x', OTHER, 'other');
    const f = open([{ calls: [setTitle] }, { calls: [setTitle, other] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.runtime.pendingDecision(OWNER, id))?.calls?.map((each) => each.id)).toEqual(['other']);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('a better title');
  });
});

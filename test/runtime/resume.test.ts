import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import type { TransitionInputs } from '../../src-main/domain/transitions.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const SERVICE: Actor = { kind: 'service', name: 'bot', scopes: ['agent:approve'] };
const setTitle = call('set_x', { key: 'title', value: 'new title' });
const readBody = call('read_x', { key: 'body' });
const answers = (f: RuntimeFixture, request: number) =>
  (f.model.requests[request]?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message] : []));

describe('carrying out an approval', () => {
  const open = useRuntime();

  it('R-57, R-60 and H-094 record the decision first, at the next sequence, before anything of the new segment', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const { lastSequence } = await f.row(id);
    await f.approve(id, COLLEAGUE);
    await f.segment();
    const after = (await f.events(id)).filter((event) => event.sequence > lastSequence);
    expect(after.map((event) => event.kind)).toEqual([
      'approval',
      'attempt',
      'tool',
      'tool_write',
      'request',
      'llm',
      'finished',
    ]);
    expect(after[0]).toMatchObject({ sequence: lastSequence + 1, payload: { approved: true, decidedBy: 5 } });
    expect((await f.events(id)).map((event) => event.sequence)).toEqual(
      Array.from({ length: lastSequence + 8 }, (_, index) => index),
    );
  });

  it('R-135 executes the pending calls in order, goes on, and totals span both segments', async () => {
    const f = open([
      { calls: [readBody, setTitle], inputTokens: 10, outputTokens: 5, costMicros: 4 },
      { text: 'done', inputTokens: 3, outputTokens: 2, costMicros: 6 },
    ]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['read_x', 'set_x']);
    expect(answers(f, 1).map((answer) => answer.content)).toEqual(['old body', 'title is set']);
    expect(await f.row(id)).toMatchObject({ rounds: 2, inputTokens: 13, outputTokens: 7, costMicros: 10 });
    expect((await f.events(id)).filter((event) => event.kind === 'tool').map((event) => event.round)).toEqual([1, 1]);
  });

  it('T-41 executes the stored bytes; the model is not asked again for them', async () => {
    const value = 'exact  bytes\t\u00e9\u{1f600}';
    const f = open([{ calls: [call('set_x', { key: 'title', value })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = () => expect(f.model.requests).toHaveLength(1);
    await f.segment();
    expect(f.world.executed[0]?.args).toEqual({ key: 'title', value });
    expect(f.world.values.get('title')).toBe(value);
  });

  it('R-72, R-201, H-129 and H-182 plan and execute as the owner, whoever approved', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id, COLLEAGUE);
    await f.segment();
    expect(f.world.executed.map(({ ownerId }) => ownerId)).toEqual([3]);
    expect(f.world.planned.map(({ ownerId }) => ownerId)).toEqual([3, 3]);
    const approval = (await f.events(id)).find((event) => event.kind === 'approval');
    expect(approval?.payload.decidedBy).toBe(5);
  });

  it('R-58 and H-097 suspend again when the continuation asks again, as often as it does', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [call('make_x', { name: 'page' })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.made).toEqual([]);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.made).toEqual(['page']);
    expect((await f.row(id)).lastDecisionNumber).toBe(2);
  });

  it('R-138 counts rounds and tokens over every pause', async () => {
    const used = { inputTokens: 10, outputTokens: 1 };
    const read = { calls: [readBody], ...used };
    const f = open([read, read, { calls: [setTitle], ...used }, { calls: [setTitle], ...used }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.runtime.pendingDecision(OWNER, id))?.rounds).toBe(3);
    await f.approve(id);
    expect(await f.segment()).toBe('awaiting_approval');
    expect(await f.row(id)).toMatchObject({ rounds: 4, inputTokens: 40, outputTokens: 4 });
    expect((await f.store.pendingTurn(id))?.round).toBe(4);
  });

  it('X-4 leaves at most the rest of the rounds after an approval', async () => {
    const f = open((request) =>
      request.tools.length === 0
        ? { text: 'summed up' }
        : { calls: [f.model.requests.length === 5 ? setTitle : readBody] },
    );
    const { id } = await f.start({ maxRounds: 8 });
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.row(id)).rounds).toBe(5);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ rounds: 8, endReason: 'max_iterations' });
    expect(f.model.requests.filter((request) => request.tools.length > 0)).toHaveLength(8);
  });

  it('H-042 stops with max_iterations once the rounds of all segments reach the limit, and the last write still happens', async () => {
    const f = open((request) => (request.tools.length === 0 ? { text: 'summed up' } : { calls: [setTitle] }));
    const { id } = await f.start({ maxRounds: 2 });
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('awaiting_approval');
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(await f.row(id)).toMatchObject({ rounds: 2, endReason: 'max_iterations', isTruncated: true });
    expect(f.world.executed).toHaveLength(2);
  });

  it('R-139, H-031 and H-032 restore the wish and keep null apart from an empty list', async () => {
    const named = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await named.start({ allowedToolNames: ['set_x'] });
    await named.segment();
    await named.approve(id);
    await named.segment();
    expect(named.model.requests.map(({ tools }) => tools.map((tool) => tool.name))).toEqual([['set_x'], ['set_x']]);
    const all = open([{ calls: [setTitle] }, { text: 'done' }]);
    const other = await all.start({ allowedToolNames: null });
    await all.segment();
    await all.approve(other.id);
    await all.segment();
    expect(all.model.requests[1]?.tools).toEqual(all.model.requests[0]?.tools);
    expect(all.model.requests[1]?.tools.length).toBeGreaterThan(3);
  });

  it('H-031 restores the options of the request', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { transition } = f.store;
    f.store.transition = (runId, move) => {
      if (move.kind !== 'enqueue') return transition(runId, move);
      const { input, nowMs } = move as { input: TransitionInputs['enqueue']; nowMs: number };
      const request = { ...input.request, temperature: 0.3, maxOutputTokens: 99 };
      return transition(runId, { kind: 'enqueue', input: { ...input, request }, nowMs });
    };
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    const options = { temperature: 0.3, maxOutputTokens: 99 };
    expect(f.model.requests).toMatchObject([options, options]);
  });

  it.each([
    ['switched off', (f: RuntimeFixture) => f.configure({ disabledTools: ['set_x'] })],
    ['taken out of the registry', (f: RuntimeFixture) => f.unregister('set_x')],
    ['taken from the owner', (f: RuntimeFixture) => f.setOperator(3, { isAdmin: false })],
  ])(
    'T-80, R-137 and H-177 refuse a tool that was %s since: not previewed, not stale, not executed',
    async (how, withdraw) => {
      const f = open([
        { calls: [how.includes('owner') ? call('admin_x', { key: 'title', value: 'n' }) : setTitle] },
        { text: 'done' },
      ]);
      f.setOperator(3, { isAdmin: true });
      const { id } = await f.start();
      await f.segment();
      await f.approve(id);
      withdraw(f);
      f.world.values.set('title', 'changed meanwhile');
      expect(await f.segment()).toBe('completed');
      expect(f.world.executed).toEqual([]);
      expect(f.world.planned).toHaveLength(1);
      expect(answers(f, 1)[0]).toMatchObject({
        isError: true,
        content: expect.stringContaining('not permitted any more'),
      });
      expect(await f.kinds(id)).not.toContain('approval_bounced');
      expect((await f.row(id)).rounds).toBe(2);
    },
  );

  it('[L] 11.3 refuses the next call of a turn when the owner loses the right to it meanwhile', async () => {
    const f = open([{ calls: [setTitle, call('admin_x', { key: 'body', value: 'n' })] }, { text: 'done' }]);
    f.setOperator(3, { isAdmin: true });
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => f.setOperator(3, { isAdmin: false });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['set_x']);
    expect(answers(f, 1).map((answer) => answer.isError)).toEqual([false, true]);
  });

  it('R-204 and H-170 store target, kind and completeness of a write right behind its step', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    await f.segment();
    const events = await f.events(id);
    const step = events.findIndex((event) => event.kind === 'tool');
    expect(events[step + 1]).toMatchObject({ kind: 'tool_write', round: 1 });
    expect(events[step + 1]?.payload).toEqual({
      toolName: 'set_x',
      toolCallId: 'set_x',
      target: { kind: 'record', database: 'site', table: 'pages', key: { name: 'title' } },
      kind: 'updated',
      completeness: 'complete',
    });
  });

  it('H-169 records an approved tool that answered with an error as an error and goes on', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'I see' }]);
    f.world.resultOf = () => ({ outcome: 'failed', content: 'no such field', write: null });
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect((await f.events(id)).find((event) => event.kind === 'tool')?.payload).toMatchObject({ outcome: 'failed' });
    expect(await f.kinds(id)).not.toContain('tool_write');
  });

  it('T-22 refuses a late approval of a run that was denied and ended, and executes nothing', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'fine' }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    const bindings = { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
    await f.deny(id);
    await f.segment();
    const before = await f.row(id);
    expect(await f.runtime.approve(OWNER, id, bindings)).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
    expect(await f.row(id)).toEqual(before);
    expect(f.world.executed).toEqual([]);
  });

  it('R-77 can neither be approved nor denied while the configuration is switched off, and waits for both', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const before = await f.row(id);
    f.setActive(false);
    for (const decide of [f.approve, f.deny]) {
      expect(await decide(id)).toMatchObject({ ok: false, refusal: { kind: 'configuration_inactive' } });
    }
    expect(await f.row(id)).toEqual(before);
    f.setActive(true);
    expect(await f.approve(id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
  });

  it('T-18 and T-21 runs nothing a second time when it goes on: what was done before a pause is only read', async () => {
    const f = open([
      { calls: [call('read_x', { key: 'title' }, 'first')] },
      { calls: [setTitle, call('make_x', { name: 'one' }, 'one')] },
      { calls: [call('make_x', { name: 'two' }, 'two')] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    while ((await f.segment()) === 'awaiting_approval') await f.approve(id);
    expect(f.world.executed.map(({ tool, args }) => args.name ?? `${tool} ${String(args.key)}`)).toEqual([
      'read_x title',
      'set_x title',
      'one',
      'two',
    ]);
    expect(f.model.requests).toHaveLength(4);
    for (const [index, { messages }] of f.model.requests.slice(1).entries()) {
      const earlier = f.model.requests[index]?.messages ?? [];
      expect(messages.slice(0, earlier.length)).toEqual(earlier);
    }
  });

  it('T-26 goes on with what the run was started with; whoever decides brings nothing along', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start({ allowedToolNames: ['set_x'] });
    await f.segment();
    const card = await f.runtime.pendingDecision(COLLEAGUE, id);
    const smuggled = { actor: ADMIN, ownerId: 1, allowedToolNames: null, configurationId: 'other', databases: ['x'] };
    const bound = { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
    expect(await f.runtime.approve(COLLEAGUE, id, { ...bound, ...smuggled })).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool, ownerId }) => [tool, ownerId])).toEqual([['set_x', 3]]);
    expect(f.model.requests[1]?.tools).toEqual(f.model.requests[0]?.tools);
    expect(await f.row(id)).toMatchObject({ initiatorId: 3, configurationId: f.configuration.id });
    expect((await f.events(id)).find((event) => event.kind === 'approval')?.payload.decidedBy).toBe(5);
  });

  it('T-28 and T-29 leaves no call of a turn out: all are held, none is released alone, each gets its one answer', async () => {
    const others = [readBody, call('boom_x', {})];
    const f = open([
      { calls: [call('hand_over', { to: 'another agent' }), setTitle, ...others] },
      { calls: [call('set_x', { key: 'title', value: 'another title' }), ...others] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    const held = async () => (await f.store.pendingTurn(id))?.calls.map(({ name }) => name);
    expect(await f.segment()).toBe('awaiting_approval');
    expect(await held()).toEqual(['hand_over', 'set_x', 'read_x', 'boom_x']);
    expect(await f.approve(id)).toMatchObject({ refusal: { kind: 'approver_not_permitted', toolName: 'hand_over' } });
    await f.deny(id);
    expect(await f.segment()).toBe('awaiting_approval');
    expect(f.world.executed).toEqual([]);
    expect(answers(f, 1).map(({ callId, isError }) => [callId, isError])).toEqual(
      ['hand_over', 'set_x', 'read_x', 'boom_x'].map((callId) => [callId, true]),
    );
    expect(await held()).toEqual(['set_x', 'read_x', 'boom_x']);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['set_x', 'read_x', 'boom_x']);
    expect(
      answers(f, 2)
        .slice(4)
        .map(({ isError }) => isError),
    ).toEqual([false, false, true]);
    expect(f.model.requests[2]?.messages.filter(({ role }) => role === 'assistant')).toHaveLength(2);
  });

  it('T-33 closes every stream of a model and ends every timer once, pauses and failures included', async () => {
    const f = open([{ calls: [setTitle] }, new Error('a bug')]);
    const { complete } = f.model;
    let [opened, closed] = [0, 0];
    f.model.complete = async function* (request, signal) {
      opened += 1;
      try {
        yield* complete(request, signal);
      } finally {
        closed += 1;
      }
    };
    const { id } = await f.start();
    for (const outcome of ['awaiting_approval', 'failed']) {
      expect(await f.segment()).toBe(outcome);
      expect(closed).toBe(opened);
      expect(f.clock.openPauses()).toBe(0);
      if (outcome === 'awaiting_approval') await f.approve(id);
    }
    expect(opened).toBe(2);
  });

  it('R-64 executes nothing when the stored decision is not about the stored turn', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    const turn = await f.store.pendingTurn(id);
    const calls = turn?.calls.map((held) => ({ ...held, arguments: { key: 'title', value: 'evil' } }));
    const sealed = f.sealer.seal(`pending_turns.sealed/${id}/1`, { ...turn, calls });
    f.database.prepare('update pending_turns set sealed = ? where run_id = ?').run(sealed, id);
    expect(await f.segment()).toBe('failed');
    expect((await f.row(id)).endReason).toBe('state_unreadable');
    expect(f.world.executed).toEqual([]);
  });

  it('R-64 and H-111 ends with state_unreadable when the decided turn cannot be opened any more', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.database.prepare("update pending_turns set sealed = x'00' where run_id = ?").run(id);
    expect(await f.segment()).toBe('failed');
    expect((await f.row(id)).endReason).toBe('state_unreadable');
    expect(f.world.executed).toEqual([]);
  });
});

describe('carrying out a denial', () => {
  const open = useRuntime();

  it('R-68, R-202 and H-150 execute nothing, answer every pending call, ask the model again and complete', async () => {
    const f = open([{ calls: [readBody, setTitle] }, { text: 'understood' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect(f.world.values.get('title')).toBe('old title');
    expect(answers(f, 1).map((answer) => [answer.callId, answer.isError])).toEqual([
      ['read_x', true],
      ['set_x', true],
    ]);
    const events = await f.events(id);
    expect(events.find((event) => event.kind === 'approval')?.payload.approved).toBe(false);
    expect(events.filter((event) => event.kind === 'tool').map((event) => event.payload.outcome)).toEqual([
      'refused',
      'refused',
    ]);
  });

  it('H-178 reads no target for a denial', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'understood' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    await f.segment();
    expect(f.world.planned).toHaveLength(1);
  });

  it.each([
    ['the owner', OWNER, 'decided_by: run_owner', 'ask whether to propose it again'],
    ['another person', ADMIN, 'decided_by: other_user', 'another user'],
    ['nobody known', SERVICE, 'decided_by: unknown', 'not a system error'],
  ])('T-63 and H-154 tells the model that %s declined, and never who', async (_, actor, token, advice) => {
    const f = open([{ calls: [setTitle] }, { text: 'understood' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id, actor);
    await f.segment();
    const [answer] = answers(f, 1);
    expect(answer?.content).toMatch(/^Error: approval_denied\n/);
    expect(answer?.content).toContain(token);
    expect(answer?.content).toContain(advice);
    expect(answer?.content).not.toMatch(/person 3|tester|bot|\d/);
    if (token !== 'decided_by: other_user') return;
    expect(answer?.content.split('\n')).toEqual([
      'Error: approval_denied',
      'decided_by: other_user',
      'The call to set_x was not executed; nothing was changed.',
      'Tell the person that another user declined this change. Do not repeat it unasked.',
    ]);
  });

  it.each([
    ['variant', 'different version of the same change'],
    ['skip', 'Do not propose this change again'],
  ] as const)(
    'H-155 renders the reason %s on a pending write and H-156 not on a read beside it',
    async (reason, advice) => {
      const f = open([{ calls: [readBody, setTitle] }, { text: 'understood' }]);
      const { id } = await f.start();
      await f.segment();
      await f.deny(id, OWNER, { denialReason: reason });
      await f.segment();
      const [read, write] = answers(f, 1);
      expect(write?.content).toContain(`reason: ${reason}`);
      expect(write?.content).toContain(advice);
      expect(read?.content).not.toContain('reason:');
    },
  );
});

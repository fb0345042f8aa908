import { describe, expect, it } from 'vitest';
import type { StartRun } from '../../src-main/runtime/runtime.ts';
import type { Actor } from '../../src-main/domain/actor.ts';
import { LEASE_MS } from '../../src-main/domain/limits.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { until } from '../support/fake-clock.ts';
import { call, createGate } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const wanted = (f: RuntimeFixture, changes: Partial<StartRun> = {}): StartRun => ({
  configurationId: f.configuration.id,
  label: 'a run',
  prompt: 'Look after the site',
  maxRounds: null,
  allowedToolNames: null,
  ...changes,
});
const countRuns = (f: RuntimeFixture) => f.database.prepare('select count(*) from runs').pluck().get();

describe('starting a run', () => {
  const open = useRuntime();

  it('R-19 stores one queued row with its initiator and its sealed request, and wakes the workers', async () => {
    const f = open([]);
    const woken: unknown[] = [];
    f.store.onCommitted((committed) => woken.push(committed));
    const result = await f.runtime.enqueue(OWNER, wanted(f, { prompt: 'a secret plan', maxRounds: 7 }));
    if (!result.ok) throw new Error(result.refusal.kind);
    expect(result.value).toMatchObject({ status: 'queued', initiatorId: 3, mode: 'queued', maxRounds: 7, attempt: 0 });
    expect(woken).toEqual([{ runIds: [result.value.id], wakes: true }]);
    expect((await f.store.request(result.value.id))?.messages).toEqual([{ role: 'user', content: 'a secret plan' }]);
    const raw = f.database.prepare('select sealed from run_requests').pluck().get() as Buffer;
    expect(raw.includes('secret plan')).toBe(false);
  });

  it.each([
    ['R-20 and X-11 a round limit of 0', { maxRounds: 0 }, OWNER, 'invalid_request'],
    ['X-11 a negative round limit', { maxRounds: -1 }, OWNER, 'invalid_request'],
    ['R-23 a number that has no JSON form', { maxRounds: Number.POSITIVE_INFINITY }, OWNER, 'invalid_request'],
    ['an empty prompt', { prompt: ' \n' }, OWNER, 'invalid_request'],
    ['an unknown configuration', { configurationId: 'gone' }, OWNER, 'configuration_gone'],
    ['nobody', {}, { kind: 'anonymous' }, 'operator_unavailable'],
    ['somebody unknown', {}, { kind: 'operator', operatorId: 99 }, 'operator_unavailable'],
  ] as [string, Partial<StartRun>, Actor, string][])(
    'refuses %s and stores nothing',
    async (_, changes, actor, kind) => {
      const f = open([]);
      expect(await f.runtime.enqueue(actor, wanted(f, changes))).toMatchObject({ ok: false, refusal: { kind } });
      expect(countRuns(f)).toBe(0);
    },
  );

  it.each([
    ['an administrator', ADMIN, 1, true],
    ['somebody without rights', OWNER, 3, false],
    ['a service account', { kind: 'service', name: 'nightly', scopes: ['configuration:use'] }, 0, false],
  ] as [string, Actor, number, boolean][])(
    'R-195 executes the run of %s with the rights of that person now, or with nobody',
    async (_, actor, ownerId, mayUseAdminTools) => {
      const f = open([{ calls: [call('read_x', { key: 'title' })] }, { text: 'x' }]);
      await f.start({}, actor);
      await f.segment();
      expect(f.world.executed.map((executed) => executed.ownerId)).toEqual([ownerId]);
      const names = f.model.requests[0]?.tools.map(({ name }) => name) ?? [];
      expect(names.includes('admin_x')).toBe(mayUseAdminTools);
    },
  );

  it('R-25 and R-32 give no run to a claimer when none is due; that is no event', async () => {
    const f = open([]);
    const claim = { workerId: 'w1', ownerToken: 't', nowMs: f.clock.nowMs(), isIdle: true };
    expect(await f.store.claim(claim)).toEqual({ ok: true, value: null });
    const { id } = await f.start();
    await f.runtime.cancel(OWNER, id);
    expect(await f.store.claim(claim)).toEqual({ ok: true, value: null });
    expect(await f.kinds(id)).toEqual(['queued', 'cancelled']);
  });

  it('R-27 and R-28 hold claim and lease while a run executes and nothing of them afterwards', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    const { id } = await f.start();
    expect((await f.row(id)).startedAtMs).toBe(0);
    const segment = f.segment();
    await gate.reached;
    expect(await f.row(id)).toMatchObject({ status: 'running', workerId: 'w1', startedAtMs: f.clock.nowMs() });
    gate.open();
    await segment;
    expect(await f.store.request(id)).toBeNull();
    expect(await f.row(id)).toMatchObject({ ownerToken: '', leaseExpiresAtMs: 0 });
  });

  it('R-29 ends a run whose stored request cannot be opened; the model is not asked', async () => {
    const f = open([]);
    const { id } = await f.start();
    f.database.prepare("update run_requests set sealed = x'00'").run();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'request_unreadable' });
    expect(f.reports.map(({ error }) => (error as Error).name)).toEqual(['SealBrokenError']);
  });

  it('R-30 ends a run whose configuration is gone', async () => {
    const f = open([]);
    const { id } = await f.start();
    f.database.prepare('delete from configurations').run();
    expect(await f.segment()).toBe('failed');
    expect((await f.row(id)).endReason).toBe('configuration_gone');
  });

  it('D-26 leaves a run of an inactive configuration in the queue until it is active again', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    f.setActive(false);
    await expect(f.segment()).rejects.toThrow('No run is due');
    expect((await f.row(id)).status).toBe('queued');
    f.setActive(true);
    expect(await f.segment()).toBe('completed');
  });

  it('R-33 continues the events of a run that is claimed again at the next sequence', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }, { text: 'done' }]);
    const { id } = await f.start();
    let steps = 0;
    await f.dieAt((kind) => kind === 'record_step' && (steps += 1) === 3);
    const before = (await f.row(id)).lastSequence;
    await f.segment();
    const events = await f.events(id);
    expect(events[before + 1]).toMatchObject({ sequence: before + 1, kind: 'attempt', attempt: 2 });
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index));
  });

  it('R-7 tells whoever watches of a step once it is stored, and the record has it once', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }, { text: 'done' }]);
    const { id } = await f.start();
    const elsewhere = openConnection(f.path);
    const count = elsewhere.prepare('select count(*) from run_events').pluck();
    const seen: unknown[] = [];
    const stop = f.store.onCommitted(({ runIds }) => void seen.push([...runIds, count.get()]));
    await f.segment();
    stop();
    elsewhere.close();
    const steps = ['attempt', 'request', 'llm', 'tool', 'request', 'llm', 'finished'];
    // The first request is stored with the claim, the next one with the result before it, the end with the last answer.
    expect(seen).toEqual([3, 4, 6, 8].map((events) => [id, events]));
    expect(await f.kinds(id)).toEqual(['queued', ...steps]);
  });

  it('X-23 keeps two runs apart that one process carries out in turns', async () => {
    const prompts = ['first', 'second'];
    const f = open((request) => {
      const said = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      const [prompt = ''] = said;
      return request.messages.length < 6
        ? {
            calls: [call('read_x', { key: prompt }, `${prompt}-${request.messages.length}`)],
            inputTokens: prompt.length,
          }
        : { text: `${prompt} is done` };
    });
    for (const prompt of prompts) f.world.values.set(prompt, `what ${prompt} asked for`);
    const runs = [await f.start({ prompt: 'first' }), await f.start({ prompt: 'second' })];
    await Promise.all([f.segment(), f.segment()]);
    const order = f.model.requests.map(({ runId }) => runId);
    expect(order.slice(0, 2).toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
    for (const [index, prompt] of prompts.entries()) {
      const id = runs[index]?.id ?? '';
      const own = f.model.requests.filter(({ runId }) => runId === id);
      expect(own).toHaveLength(3);
      expect(JSON.stringify(own)).not.toContain(prompts[1 - index]);
      expect(await f.row(id)).toMatchObject({ rounds: 3, inputTokens: 2 * prompt.length });
      expect((await f.runtime.result(OWNER, id))?.answer).toBe(`${prompt} is done`);
    }
  });

  it('X-16 and D-16 ends a run whose initiator was disabled before it started; the model is not asked', async () => {
    const f = open([]);
    const { id } = await f.start();
    f.setOperator(3, { isEnabled: false });
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'initiator_unavailable', rounds: 0 });
    expect(f.model.requests).toEqual([]);
  });

  it('D-16 executes nothing in the name of somebody who was disabled in the middle of a segment', async () => {
    const f = open([
      // Four reads run at the same time; the fifth is judged anew.
      { calls: [1, 2, 3, 4, 5].map((number) => call('read_x', { key: 'title' }, `c${number}`)) },
      { text: 'x' },
    ]);
    await f.start();
    f.world.afterEffect = () => f.setOperator(3, { isEnabled: false });
    await f.segment();
    expect(f.world.executed).toHaveLength(4);
    expect(f.model.requests[1]?.tools).toEqual([]);
  });

  it.each([
    ['of a run', [call('read_x', { key: 'title' })]],
    ['that ends a decided turn', [setTitle, call('read_x', { key: 'title' })]],
  ])(
    'R-200 completes although the step of a read %s cannot be stored, and stores it with the next',
    async (_, calls) => {
      const f = open([{ calls }, { text: 'done' }]);
      const { id } = await f.start();
      let faults = 1;
      f.intercept = (kind) => {
        if (kind !== 'record_step' || f.world.executed.at(-1)?.tool !== 'read_x' || faults === 0) return null;
        faults -= 1;
        return Promise.reject(new Error('disk full'));
      };
      if ((await f.segment()) === 'awaiting_approval') {
        await f.approve(id);
        await f.segment();
      }
      expect(faults).toBe(0);
      expect(await f.row(id)).toMatchObject({ status: 'completed', decisionNumber: 0, turnDigest: '' });
      expect((await f.kinds(id)).slice(-4)).toEqual(['tool', 'request', 'llm', 'finished']);
      expect(f.reports.map(({ error }) => String(error))).toEqual(['Error: disk full']);
      expect(f.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', toolName: 'read_x' });
      expect(f.world.executed.filter(({ tool }) => tool === 'read_x')).toHaveLength(1);
    },
  );

  it('R-200 keeps the step of a read that cannot be stored, and stores it with the one after it', async () => {
    const f = open([
      { calls: [call('read_x', { key: 'title' }, 'first'), call('read_x', { key: 'title' }, 'second')] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    let faults = 1;
    f.intercept = (kind) =>
      kind === 'record_step' && f.world.executed.length > 0 && faults-- > 0
        ? Promise.reject(new Error('disk full'))
        : null;
    expect(await f.segment()).toBe('completed');
    const stored = ['queued', 'attempt', 'request', 'llm', 'tool', 'tool', 'request', 'llm', 'finished'];
    expect(await f.kinds(id)).toEqual(stored);
    expect(f.model.requests[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  it('R-200 leaves no hole in the transcript that a later segment reads', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }, { calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    let faults = 1;
    f.intercept = (kind) =>
      kind === 'record_step' && f.world.executed.length > 0 && faults-- > 0
        ? Promise.reject(new Error('disk full'))
        : null;
    await f.segment();
    expect((await f.store.transcript(id)).map((message) => message.role)).toEqual(['assistant', 'tool', 'assistant']);
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
  });

  it('ends the run when what comes after the read cannot be stored either', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }]);
    const { id } = await f.start();
    f.intercept = (kind) =>
      kind === 'record_step' && f.world.executed.length > 0 ? Promise.reject(new Error('disk full')) : null;
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'internal_error', requeueCount: 0 });
  });

  it('R-198 and H-164 end a run whose write cannot be recorded, never repeat it, and list the write', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.intercept = (kind) =>
      kind === 'record_step' && f.world.executed.length > 0 ? Promise.reject(new Error('disk full')) : null;
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', requeueCount: 0 });
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x' }]);
  });

  it('R-16 run() enqueues for a person who waits, is claimed like any other, and returns once it asks for one', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ calls: [setTitle] }))]);
    const settled = f.runtime.run(OWNER, wanted(f));
    await until(async () => (await f.store.countByStatus()).queued === 1);
    const [born] = await f.store.activeRuns();
    expect(born).toMatchObject({ status: 'queued', mode: 'interactive', ownerToken: '', leaseExpiresAtMs: 0 });
    const segment = f.segment();
    await gate.reached;
    expect(await f.row(born?.id ?? '')).toMatchObject({
      status: 'running',
      workerId: 'w1',
      leaseExpiresAtMs: f.clock.nowMs() + LEASE_MS,
      lastSequence: 2,
    });
    expect((await f.row(born?.id ?? '')).ownerToken).not.toBe('');
    gate.open();
    await segment;
    await f.clock.advance(100);
    expect(await settled).toMatchObject({ ok: true, value: { status: 'waiting_for_approval', mode: 'interactive' } });
  });
});

describe('reading a run', () => {
  const open = useRuntime();

  it('R-35 and H-058 show a waiting run without request, transcript or turn', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start({ prompt: 'a secret plan' });
    await f.segment();
    const shown = JSON.stringify(await f.runtime.status(OWNER, id));
    expect(shown).toContain('waiting_for_approval');
    expect(shown).not.toContain('secret plan');
    expect(shown).not.toContain('new title');
  });

  it('R-36 pages events after a sequence and has none for an unknown run', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.runtime.events(OWNER, id)).map((event) => event.sequence)).toEqual([0, 1, 2, 3, 4]);
    expect((await f.runtime.events(OWNER, id, 2)).map((event) => event.sequence)).toEqual([3, 4]);
    expect(await f.runtime.events(OWNER, 'no-such-run')).toEqual([]);
  });

  it('R-37 hides a run from a stranger exactly like one that does not exist', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    for (const runId of [id, 'no-such-run']) {
      expect(await f.runtime.status(OUTSIDER, runId)).toBeNull();
      expect(await f.runtime.events(OUTSIDER, runId)).toEqual([]);
      expect(await f.runtime.result(OUTSIDER, runId)).toBeNull();
      expect(await f.runtime.pendingDecision(OUTSIDER, runId)).toBeNull();
      expect(await f.runtime.awaitSettled(OUTSIDER, runId)).toEqual({ ok: false, refusal: { kind: 'unknown_run' } });
      const card = { turnDigest: 'x', previewRevision: 1 };
      expect(await f.runtime.approve(OUTSIDER, runId, card)).toEqual({
        ok: false,
        refusal: { kind: 'not_awaiting_approval' },
      });
    }
  });

  it('H-059 and X-1 give the card to those who may decide, from the row alone, and to nobody else', async () => {
    const f = open([{ text: 'Shall I?', calls: [setTitle] }]);
    const { id } = await f.start();
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card).toMatchObject({
      runId: id,
      label: 'a run',
      configuration: 'sample',
      initiatorId: 3,
      waitingSinceMs: f.clock.nowMs(),
      rounds: 1,
      maxRounds: 5,
      effect: 'idempotent_write',
      previewRevision: 1,
      bounceCount: 0,
      assistantText: 'Shall I?',
      calls: [{ id: 'set_x', toolName: 'set_x', isStale: false, arguments: { key: 'title', value: 'new title' } }],
    });
    expect(card?.turnDigest).toBe((await f.row(id)).turnDigest);
    expect(await f.runtime.pendingDecision(COLLEAGUE, id)).toEqual(card);
    expect(await f.runtime.pendingDecision(ADMIN, id)).toEqual(card);
    f.setOperator(5, { isEnabled: false });
    expect(await f.runtime.pendingDecision(COLLEAGUE, id)).toBeNull();
    await f.runtime.cancel(OWNER, id);
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
  });

  it('H-080 drops a preview that names another tool than its call', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const turn = await f.store.pendingTurn(id);
    const previews = turn?.previews.map((preview) => ({ ...preview, toolName: 'make_x' }));
    const sealed = f.sealer.seal(`pending_turns.sealed/${id}/1`, { ...turn, previews });
    f.database.prepare('update pending_turns set sealed = ?').run(sealed);
    expect((await f.runtime.pendingDecision(OWNER, id))?.calls?.[0]).toMatchObject({ preview: null, target: null });
  });

  it('H-199, H-204 and X-15 show an unreadable card as such; other runs and lists work and it can be cancelled', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [setTitle] }]);
    const [broken, whole] = [await f.start(), await f.start()];
    await f.segment();
    await f.segment();
    f.database.prepare("update pending_turns set sealed = x'00' where run_id = ?").run(broken.id);
    expect(await f.runtime.pendingDecision(OWNER, broken.id)).toMatchObject({ calls: null, turnDigest: '' });
    expect((await f.runtime.inbox(OWNER)).map((run) => run.id).toSorted()).toEqual([broken.id, whole.id].toSorted());
    expect(await f.approve(broken.id)).toMatchObject({ refusal: { kind: 'state_unreadable' } });
    expect(await f.approve(whole.id)).toMatchObject({ ok: true });
    expect(await f.runtime.cancel(OWNER, broken.id)).toMatchObject({ ok: true });
  });

  it('H-204 and T-27 shows a card of a newer form as one this release cannot read, and decides nothing about it', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    const sealed = f.sealer.seal(`pending_turns.sealed/${id}/1`, { ...(await f.store.pendingTurn(id)), v: 3 });
    f.database.prepare('update pending_turns set sealed = ?').run(sealed);
    expect(await f.runtime.pendingDecision(OWNER, id)).toMatchObject({ calls: null, unreadable: 'other_form' });
    const decision = { turnDigest: card?.turnDigest ?? '', previewRevision: 1 };
    expect(await f.approve(id, OWNER, decision)).toMatchObject({ refusal: { kind: 'state_unreadable' } });
    expect(f.database.prepare('select sealed from pending_turns').pluck().get()).toEqual(sealed);
  });

  it('lists waiting and ended runs to those who may see them', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    await f.start();
    await f.start();
    await f.segment();
    await f.segment();
    for (const [actor, count] of [
      [OWNER, 1],
      [COLLEAGUE, 1],
      [ADMIN, 1],
      [OUTSIDER, 0],
      [{ kind: 'anonymous' }, 0],
    ] as [Actor, number][]) {
      expect(await f.runtime.inbox(actor)).toHaveLength(count);
      expect(await f.runtime.recent(actor)).toHaveLength(count);
    }
  });
});

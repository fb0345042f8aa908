import { randomUUID } from 'node:crypto';
import { Check } from 'typebox/value';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { createService } from '../../src-main/ipc/service.ts';
import { CONTRACT, isCallName, type CallName, type Handlers, type OutputOf } from '../../src-shared/ipc/contract.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { serviceOf, valueOf } from '../support/service.ts';
import { useRuntime } from '../support/use-runtime.ts';
import { useServices } from '../support/use-services.ts';

const SET_X = call('set_x', { key: 'title', value: 'new' });

describe('the handlers', () => {
  const open = useRuntime();
  const closeAfterwards = useServices();

  /** Asks for one actor; what comes back must fit the contract by TypeBox's own check, not only by the host's. */
  function asking(f: RuntimeFixture, actor: Actor) {
    const service = serviceOf(f, actor);
    closeAfterwards(service, f);
    return async <Name extends CallName>(name: Name, input: object): Promise<OutputOf<Name>> => {
      const value = valueOf(name, await service.call(name, input));
      expect(Check(CONTRACT[name].output, value), name).toBe(true);
      return value;
    };
  }

  it('answer every call of a whole story in the shape of the contract', async () => {
    const f = open([{ text: 'I would change it.', calls: [SET_X] }, { text: 'done' }, { calls: [SET_X] }], {
      withdrawWindowMs: 3_000,
    });
    const ask = asking(f, OWNER);
    const { runId } = await ask('runs.start', {
      runId: randomUUID(),
      configurationId: f.configuration.id,
      label: 'a',
      prompt: 'b',
      maxRounds: null,
    });
    expect((await ask('inbox.overview', { waitingLimit: 5 })).active).toMatchObject([{ runId, status: 'queued' }]);
    await f.segment();
    const card = await ask('runs.pendingDecision', { runId });
    expect(card).toMatchObject({ assistantText: 'I would change it.', initiatorName: 'person 3' });
    const binding = { runId, turnDigest: card?.turnDigest, previewRevision: card?.previewRevision };

    const claims = { via: 'pointer' as const };
    const approved = await ask('runs.approve', { ...binding, claims, confirmsBlind: false });
    expect(approved).toMatchObject({
      run: { status: 'queued' },
      withdrawUntilMs: f.clock.nowMs() + 3_000,
      mayCancel: true,
    });
    expect(await ask('runs.withdraw', { runId })).toMatchObject({
      run: { status: 'waiting_for_approval' },
      withdrawUntilMs: 0,
    });
    const again = await ask('runs.pendingDecision', { runId });
    const denied = {
      runId,
      turnDigest: again?.turnDigest,
      previewRevision: again?.previewRevision,
      claims,
      reason: 'skip',
      note: '',
    };
    expect(await ask('runs.deny', denied)).toMatchObject({ run: { status: 'queued' }, withdrawUntilMs: 0 });
    await f.segment();
    expect(await ask('runs.detail', { runId })).toMatchObject({
      run: { status: 'completed' },
      answer: 'done',
      mayCancel: false,
    });
    const events = await ask('runs.events', { runId, afterSequence: -1 });
    const named = events.filter(({ kind }) => kind === 'approval' || kind === 'approval_withdrawn');
    expect(named.map(({ actorName }) => actorName)).toEqual(['person 3', 'person 3', 'person 3']);

    const other = await f.start();
    expect(await ask('runs.cancel', { runId: other.id })).toMatchObject({ run: { status: 'cancelled' } });
    expect((await ask('runs.events', { runId: other.id, afterSequence: 0 })).at(-1)).toMatchObject({
      kind: 'cancelled',
      actorName: 'person 3',
    });
    expect(await ask('inbox.overview', { waitingLimit: 5 })).toMatchObject({ counts: { completed: 1, cancelled: 1 } });
    expect(await ask('host.session', {})).toMatchObject({
      operatorName: 'person 3',
      isAdmin: false,
      surface: 'browser',
    });
    expect(await ask('host.health', {})).toMatchObject({ queued: 0, workers: [{ state: 'ready' }], paused: null });
    expect(await ask('host.setPause', { isPaused: true })).toEqual({ isPaused: true });
    expect(await ask('host.health', {})).toMatchObject({ paused: { byName: 'person 3' } });
    expect(await ask('host.setPause', { isPaused: false })).toEqual({ isPaused: false });
    expect(await ask('host.openWindow', {})).toEqual({ address: 'http://127.0.0.1:1/#code=one' });
    // A scenario that is not there leaves a configuration that can be listed and repaired.
    expect(await ask('configurations.list', {})).toMatchObject([
      { model: { kind: 'scripted', name: '', example: '' } },
    ]);
  });

  it('H-102 record an approval at once; closing the window that gave it stops nothing', async () => {
    const f = open([{ calls: [SET_X] }, { text: 'done' }]);
    const { id: runId } = await f.start();
    await f.segment();
    const service = serviceOf(f, OWNER);
    const card = valueOf('runs.pendingDecision', await service.call('runs.pendingDecision', { runId }));
    const approved = await service.call('runs.approve', {
      runId,
      turnDigest: card?.turnDigest,
      previewRevision: card?.previewRevision,
      claims: { via: 'pointer' },
      confirmsBlind: false,
    });
    expect(valueOf('runs.approve', approved)).toMatchObject({ run: { status: 'queued' } });
    expect(f.world.executed).toEqual([]);
    const closing = service.close();
    await f.clock.advance(1_000);
    await closing;

    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new');
    const seenAnew = await asking(f, OWNER)('runs.events', { runId, afterSequence: -1 });
    expect(seenAnew.map(({ kind }) => kind).slice(-3)).toEqual(['request', 'llm', 'finished']);
  });

  it('T-60 leave a card waiting whose page went away, as it was, and take its approval from another page', async () => {
    const f = open([{ calls: [SET_X] }, { text: 'done' }]);
    const { id: runId } = await f.start();
    await f.segment();
    const before = [await f.row(runId), await f.events(runId)];
    const service = serviceOf(f, OWNER);
    const card = valueOf('runs.pendingDecision', await service.call('runs.pendingDecision', { runId }));
    const closing = service.close();
    await f.clock.advance(1_000);
    await closing;
    expect([await f.row(runId), await f.events(runId)]).toEqual(before);

    const ask = asking(f, OWNER);
    expect(await ask('runs.pendingDecision', { runId })).toEqual(card);
    const binding = { runId, turnDigest: card?.turnDigest, previewRevision: card?.previewRevision };
    await ask('runs.approve', { ...binding, claims: { via: 'pointer' }, confirmsBlind: false });
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new');
  });

  it('H-158 take no denial with a reason that there is not, and no approval with one: the call is wrong, and nothing is decided', async () => {
    const f = open([{ calls: [SET_X] }]);
    const { id: runId } = await f.start();
    await f.segment();
    const before = [await f.row(runId), await f.events(runId)];
    const service = serviceOf(f, OWNER);
    closeAfterwards(service, f);
    const card = valueOf('runs.pendingDecision', await service.call('runs.pendingDecision', { runId }));
    const binding = { runId, turnDigest: card?.turnDigest, previewRevision: card?.previewRevision };
    const claims = { via: 'pointer' };
    const wrong = { ok: false, fault: { code: 'bad_input' } };
    expect(await service.call('runs.deny', { ...binding, claims, reason: 'because', note: '' })).toMatchObject(wrong);
    expect(
      await service.call('runs.approve', { ...binding, claims, confirmsBlind: false, reason: 'skip' }),
    ).toMatchObject(wrong);
    expect([await f.row(runId), await f.events(runId)]).toEqual(before);
  });

  it('T-40 settle an uncertain write by what its owner found, once, and nobody else can', async () => {
    const f = open([]);
    const { id } = await f.start();
    const toolCall = { id: 'c1', name: 'make_x', arguments: { name: 'page' } };
    const write = {
      callId: toolCall.id,
      toolName: toolCall.name,
      effect: 'non_idempotent_write',
      target: null,
      cause: 'orphaned',
      detail: { call: toolCall, preview: null },
    } as const;
    await f.store.transition(id, { kind: 'record_orphan_write', input: { write, attempt: 1 }, nowMs: f.clock.nowMs() });
    const ask = asking(f, OWNER);
    const { uncertainWrites } = await ask('inbox.overview', { waitingLimit: 5 });
    expect(uncertainWrites).toMatchObject([{ runId: id, callId: toolCall.id }]);
    const found = { runId: id, callId: toolCall.id, finding: 'not_written' } as const;
    await expect(asking(f, OUTSIDER)('runs.resolveWrite', found)).rejects.toThrow('unknown_run');
    expect(await ask('runs.resolveWrite', found)).toEqual({ runId: id });
    expect((await ask('inbox.overview', { waitingLimit: 5 })).uncertainWrites).toEqual([]);
    await expect(ask('runs.resolveWrite', found)).rejects.toThrow('no_uncertain_write');
  });

  it('T-15 make a delayed run due, and say so when it is due already', async () => {
    const f = open([new ModelError('connection', 'The endpoint cannot be reached.'), { text: 'done' }]);
    const { id } = await f.start();
    const ask = asking(f, OWNER);
    await expect(ask('runs.retry', { runId: id })).rejects.toThrow('not_delayed');
    await f.segment();
    expect(await ask('runs.detail', { runId: id })).toMatchObject({ mayRetry: true });
    expect(await ask('runs.retry', { runId: id })).toMatchObject({ run: { status: 'queued', hold: '' } });
    expect(await f.segment()).toBe('completed');
  });

  it('connect a model, change it by its id, and never show its key', async () => {
    const f = open([]);
    const ask = asking(f, ADMIN);
    const form = {
      configurationId: null,
      identifier: 'local',
      baseUrl: 'http://127.0.0.1:9/v1',
      modelId: 'tiny',
      key: { kind: 'new', key: ' sk-planted ' },
      systemPrompt: 'Be brief.',
      databases: [],
      workspaces: [{ name: 'work', path: f.folder }],
    };
    const service = serviceOf(f, ADMIN);
    closeAfterwards(service, f);
    // The folder holds the console's own database.
    expect(await service.call('configurations.connect', form)).toEqual({
      ok: false,
      refusal: { kind: 'invalid_request', problems: [{ field: 'workspaces.0.path', problem: 'reserved_path' }] },
    });
    const made = await ask('configurations.connect', { ...form, workspaces: [] });
    expect(made).toMatchObject({ identifier: 'local', model: { hasKey: true, modelId: 'tiny' } });
    const moved = { ...form, workspaces: [], configurationId: made.id, key: { kind: 'keep' } };
    expect(await ask('configurations.connect', moved)).toMatchObject({ id: made.id, model: { hasKey: true } });
    expect(await service.call('configurations.connect', { ...moved, baseUrl: 'http://127.0.0.1:8/v1' })).toEqual({
      ok: false,
      refusal: { kind: 'invalid_request', problems: [{ field: 'key', problem: 'key_bound_to_address' }] },
    });
    expect(
      await service.call('configurations.testModel', { ...endpointOf(moved), baseUrl: 'http://127.0.0.1:8/v1' }),
    ).toMatchObject({ refusal: { problems: [{ problem: 'key_bound_to_address' }] } });
    expect(await ask('configurations.connect', { ...moved, key: { kind: 'none' } })).toMatchObject({
      model: { hasKey: false },
    });
    expect(await service.call('configurations.connect', { ...form, workspaces: [] })).toMatchObject({
      refusal: { problems: [{ field: 'identifier', problem: 'name_taken' }] },
    });
    expect(JSON.stringify(await ask('configurations.list', {}))).not.toContain('sk-planted');
  });

  it('keep the switched-off state and the rules of a configuration that is changed', async () => {
    const f = open([], { requireSecondApprover: true, privacy: 'none', disabledTools: ['delete_file'] });
    f.setActive(false);
    const changed = await asking(f, ADMIN)('configurations.connect', {
      configurationId: f.configuration.id,
      identifier: 'renamed',
      baseUrl: 'http://127.0.0.1:9/v1',
      modelId: 'tiny',
      key: { kind: 'none' },
      systemPrompt: '',
      databases: [],
      workspaces: [],
    });
    expect(changed).toMatchObject({ isActive: false, requiresSecondApprover: true });
    const stored = await f.store.configuration(f.configuration.id);
    expect(stored?.settings).toMatchObject({
      privacy: 'none',
      disabledTools: ['delete_file'],
      requireSecondApprover: true,
    });
  });

  it('show lists and figures of exactly the runs a person may see, however many others there are', async () => {
    const f = open(() => ({ calls: [SET_X] }));
    const mine = await f.start({}, OUTSIDER);
    await f.segment();
    for (let index = 0; index < 3; index += 1) {
      await f.start();
      await f.segment();
    }
    await f.start({}, OUTSIDER);
    const seen = await asking(f, OUTSIDER)('inbox.overview', { waitingLimit: 1 });
    expect(seen.waiting.map((run) => run.runId)).toEqual([mine.id]);
    expect(seen.active).toHaveLength(1);
    expect(seen.counts).toMatchObject({ waiting_for_approval: 1, queued: 1 });
    const all = await asking(f, COLLEAGUE)('inbox.overview', { waitingLimit: 2 });
    expect(all.waiting).toHaveLength(2);
    expect(all.counts).toMatchObject({ waiting_for_approval: 4, queued: 1 });
  });

  it('let who may only decide see the run, but not how it ended', async () => {
    const f = open([{ calls: [SET_X] }, { text: 'a private answer' }]);
    const { id: runId } = await f.start();
    await f.segment();
    const ask = asking(f, COLLEAGUE);
    expect(await ask('runs.detail', { runId })).toMatchObject({ run: { runId }, mayCancel: false });
    expect(await f.approve(runId, COLLEAGUE)).toMatchObject({ ok: true });
    await f.segment();
    expect(await ask('runs.detail', { runId })).toMatchObject({ run: { status: 'completed' }, answer: '' });
    expect(await ask('runs.events', { runId, afterSequence: -1 })).toEqual([]);
    expect(await asking(f, OWNER)('runs.detail', { runId })).toMatchObject({ answer: 'a private answer' });
  });
});

const endpointOf = ({ configurationId, baseUrl, modelId, key }: Record<string, unknown>) => ({
  configurationId,
  baseUrl,
  modelId,
  key,
});

describe('the service', () => {
  const reports: { error: unknown; where: string }[] = [];
  beforeEach(() => void reports.splice(0));

  /** A service whose handlers all do the same, whatever they are asked. */
  const withHandler = (handler: () => Promise<unknown>) =>
    createService({
      handlers: Object.fromEntries(
        Object.keys(CONTRACT)
          .filter(isCallName)
          .map((name) => [name, handler]),
      ) as unknown as Handlers,
      topics: { onTopic: () => () => undefined },
      report: (error, where) => reports.push({ error, where }),
      newReference: () => 'ref-1',
    });

  it.each([
    ['throws', () => Promise.reject(new Error('secret detail'))],
    ['refuses what the contract does not list', () => Promise.resolve({ ok: false, refusal: { kind: 'lease_lost' } })],
    ['answers in another shape', () => Promise.resolve({ ok: true, value: { runId: 7 } })],
    ['throws no error at all', () => Promise.reject(Object.create(null) as Error)],
  ])('answers a handler that %s with a reference to the log and nothing else', async (_what, handler) => {
    const reply = await withHandler(handler).call('configurations.trySample', {});
    expect(reply).toEqual({ ok: false, fault: { code: 'internal', reference: 'ref-1' } });
    expect(reports).toMatchObject([{ where: 'configurations.trySample [ref-1]' }]);
  });

  it('passes a listed refusal on as it is', async () => {
    const busy = { ok: false, refusal: { kind: 'store_busy', waitedMs: 5 } };
    expect(await withHandler(() => Promise.resolve(busy)).call('configurations.trySample', {})).toEqual(busy);
    expect(reports).toEqual([]);
  });
});

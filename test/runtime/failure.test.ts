import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { SECRET } from '../support/tool-world.ts';
import { until } from '../support/fake-clock.ts';
import { useRuntime } from '../support/use-runtime.ts';

const limited = new ModelError('rateLimit', 'The provider asks to wait.');
const offline = new ModelError('connection', 'The endpoint cannot be reached.');
const readTitle = call('read_x', { key: 'title' });

describe('a segment that fails', () => {
  const open = useRuntime();

  it('R-4 stores the type of an error and none of its words; events from before stay', async () => {
    const f = open([{ calls: [readTitle] }, new RangeError(`no way to ${SECRET}`)]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'internal_error', errorClass: 'RangeError' });
    expect(await f.kinds(id)).toContain('tool');
    expect(JSON.stringify([await f.events(id), await f.row(id), await f.runtime.result(OWNER, id)])).not.toContain(
      SECRET,
    );
    expect(f.reports.map(({ error }) => String(error))).toEqual([expect.stringContaining(SECRET)]);
  });

  it('X-5 and D-04 keep rounds and tokens of a run that fails in round 3', async () => {
    const turn = { calls: [readTitle], inputTokens: 10, outputTokens: 1, costMicros: 5 };
    const f = open([turn, turn, { ...turn, calls: [readTitle] }, new ModelError('auth', 'The key was refused.')]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ rounds: 3, inputTokens: 30, outputTokens: 3, costMicros: 15 });
  });

  it('R-98 and R-104 queue a retryable failure again under the same request, counted, due in 30 seconds', async () => {
    const f = open([limited, { text: 'done' }]);
    const { id } = await f.start();
    const request = await f.store.request(id);
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({
      status: 'queued',
      requeueCount: 1,
      hold: '',
      segment: 'retry',
      nextAttemptAtMs: f.clock.nowMs() + 30_000,
    });
    expect(await f.store.request(id)).toEqual(request);
    expect((await f.events(id)).at(-1)).toMatchObject({
      kind: 'requeued',
      payload: { cause: 'rateLimit', counted: true, delayMs: 30_000 },
    });
    await expect(f.segment()).rejects.toThrow('No run is due');
    await f.clock.advance(30_000);
    expect(await f.segment()).toBe('completed');
  });

  it('R-99 and R-110 wait 30, 60 and 120 seconds and then end the run with retries_exhausted', async () => {
    const f = open(() => limited);
    const { id } = await f.start();
    for (const delayMs of [30_000, 60_000, 120_000]) {
      expect(await f.segment()).toBe('requeued');
      expect((await f.row(id)).nextAttemptAtMs - f.clock.nowMs()).toBe(delayMs);
      await f.clock.advance(delayMs);
    }
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'retries_exhausted', requeueCount: 3, attempt: 4 });
    expect((await f.runtime.result(OWNER, id))?.failure).toBe('The provider asks to wait.');
  });

  it('5a holds a run whose endpoint cannot be reached, uncounted, 5 seconds doubling to 10 minutes', async () => {
    const f = open(() => offline);
    const { id } = await f.start();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      expect(await f.segment()).toBe('requeued');
      const row = await f.row(id);
      expect(row).toMatchObject({ status: 'queued', hold: 'offline', requeueCount: 0 });
      delays.push((row.nextAttemptAtMs - f.clock.nowMs()) / 1_000);
      await f.clock.advance(row.nextAttemptAtMs - f.clock.nowMs());
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it('5a starts the waits over after any answer', async () => {
    const f = open([offline, { calls: [readTitle] }, offline]);
    const { id } = await f.start();
    await f.segment();
    await f.clock.advance(5_000);
    expect(await f.segment()).toBe('requeued');
    expect((await f.row(id)).offlineDelayMs).toBe(5_000);
  });

  it.each([
    ['auth', 'not_retryable'],
    ['configuration', 'not_retryable'],
    ['clientError', 'not_retryable'],
    ['unknown', 'not_retryable'],
  ] as const)('R-100 ends a queued run at once for a failure of class %s', async (failureClass, endReason) => {
    const f = open([new ModelError(failureClass, 'No.')]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason, requeueCount: 0, errorClass: `ModelError:${failureClass}` });
  });

  const notTheProvider: [reason: string, breakIt: (f: RuntimeFixture) => unknown][] = [
    ['configuration_gone', (f) => f.database.prepare('delete from configurations').run()],
    ['initiator_unavailable', (f) => f.setOperator(3, { isEnabled: false })],
    ['request_unreadable', (f) => f.database.prepare("update run_requests set sealed = x'00'").run()],
    ['internal_error', (f) => (f.ports.modelFor = () => Promise.reject(new TypeError('a bug')))],
    [
      'suspend_failed',
      (f) => (f.intercept = (kind) => (kind === 'suspend' ? Promise.reject(new Error('disk full')) : null)),
    ],
  ];
  it.each(notTheProvider)(
    'R-18 and R-186 tries nothing again but a failed provider: %s ends the run',
    async (endReason, breakIt) => {
      const f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }]);
      const { id } = await f.start();
      breakIt(f);
      await f.segment();
      expect(await f.row(id)).toMatchObject({ status: 'failed', endReason, requeueCount: 0 });
      expect(await f.store.nextDueAtMs()).toBeNull();
      expect(await f.kinds(id)).not.toContain('requeued');
    },
  );

  it('X-18 goes on after a write that cannot be repeated when the provider fails later, and never starts over', async () => {
    const busy = new ModelError('serverError', 'The provider answered 503.');
    const f = open([{ calls: [call('make_x', { name: 'page' })] }, busy, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({ rounds: 1, requeueCount: 1, fenceEffect: '', recoverCallId: '' });
    await f.clock.advance(30_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.made).toEqual(['page']);
    expect(f.model.requests[2]?.messages).toEqual(f.model.requests[1]?.messages);
    expect(f.model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'made' });
    expect((await f.kinds(id)).filter((kind) => kind === 'suspended' || kind === 'tool_write')).toHaveLength(2);
  });

  it.each([
    ['X-17', { preview_revision: 1 }],
    ['X-18', { has_non_idempotent_effect: 1 }],
  ])('%s never starts from its request what has %j and lost its checkpoint', async (_id, mark) => {
    const f = open([{ text: 'never asked' }]);
    const { id } = await f.start();
    for (const [column, value] of Object.entries(mark)) {
      f.database.prepare(`update runs set ${column} = ? where id = ?`).run(value, id);
    }
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'interrupted_resume' });
    expect(f.model.requests).toEqual([]);
  });

  it('D-16 keeps a decision for an account that is disabled: nobody takes the run, it says why, and it goes on afterwards', async () => {
    const f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    f.setOperator(3, { isEnabled: false });
    expect(await f.approve(id, ADMIN)).toMatchObject({ ok: true });
    expect(await f.row(id)).toMatchObject({ status: 'queued', hold: 'initiator_unavailable', decisionNumber: 1 });
    expect(await f.store.nextDueAtMs()).toBeNull();
    await expect(f.segment()).rejects.toThrow('No run is due.');
    f.setOperator(3, { isEnabled: true });
    expect((await f.row(id)).hold).toBe('');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('n');
  });

  it('D-16 gives a run back whose owner was disabled while it was being taken up', async () => {
    const f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    const operator = f.ports.store.operator.bind(f.ports.store);
    f.ports.store.operator = async (operatorId) => {
      f.setOperator(3, { isEnabled: false });
      return operator(operatorId);
    };
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({ status: 'queued', hold: 'initiator_unavailable', decisionNumber: 1 });
    expect((await f.events(id)).at(-1)?.payload).toMatchObject({ cause: 'initiator_unavailable', counted: false });
  });

  it('D-26 says of a queued run that its configuration is switched off', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    f.setActive(false);
    expect((await f.row(id)).hold).toBe('configuration_inactive');
    expect((await f.store.activeRuns()).map(({ hold }) => hold)).toEqual(['configuration_inactive']);
    f.setActive(true);
    expect((await f.row(id)).hold).toBe('');
  });

  it('R-102 never repeats a run that fails with a write behind the fence, and lists the write', async () => {
    const f = open([{ calls: [call('make_x', { name: 'page' })] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => {
      throw limited;
    };
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'not_retryable', requeueCount: 0 });
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'make_x' }]);
    expect(f.world.made).toEqual(['page']);
  });

  it('R-103 leaves a run alone that somebody else took in the meantime', async () => {
    const f = open([limited]);
    const { id } = await f.start();
    f.intercept = async (kind) => {
      if (kind === 'fail') await reclaimByHand(f, id);
      return null;
    };
    expect(await f.segment()).toBe('lease_lost');
    expect(await f.row(id)).toMatchObject({ status: 'queued', requeueCount: 0 });
    expect(await f.kinds(id)).not.toContain('requeued');
  });

  it('R-105 lets the retry start without the fence of the attempt before, and examines the write', async () => {
    const f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => {
      f.world.afterEffect = () => undefined;
      throw limited;
    };
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({ fenceEffect: '', recoverCallId: 'set_x', segment: 'resume' });
    await f.clock.advance(30_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
    expect((await f.events(id)).find((event) => event.kind === 'tool')?.payload).toMatchObject({ recovered: true });
  });

  it('R-106 shows the failure of an interactive run at once', async () => {
    const f = open([offline]);
    const settled = f.runtime.run(OWNER, {
      configurationId: f.configuration.id,
      label: 'now',
      prompt: 'Now',
      maxRounds: null,
      allowedToolNames: null,
    });
    await until(async () => (await f.store.countByStatus()).queued === 1);
    expect(await f.segment()).toBe('failed');
    await f.clock.advance(100);
    expect(await settled).toMatchObject({ ok: true, value: { status: 'failed', endReason: 'provider_failed' } });
  });

  it('R-107 lets nothing escape when a configuration was edited or damaged in the file, and does not use it', async () => {
    const f = open([]);
    const { id } = await f.start();
    f.database.prepare("update configurations set settings = '{broken' where id = ?").run(f.configuration.id);
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'configuration_gone' });
    f.setActive(true);
  });

  it('X-10 finds a queued run again without any wake-up: the row says when it is due', async () => {
    const f = open([limited, { text: 'done' }]);
    await f.start();
    await f.segment();
    expect(await f.store.nextDueAtMs()).toBe(f.clock.nowMs() + 30_000);
  });

  it('X-14 numbers the attempts of a run on its events and names why each began', async () => {
    const f = open([limited, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.clock.advance(30_000);
    await f.segment();
    const events = await f.events(id);
    expect(
      events
        .filter((event) => event.kind === 'attempt')
        .map(({ attempt, payload }) => [attempt, payload.segment, payload.cause]),
    ).toEqual([
      [1, 'start', 'queued'],
      [2, 'retry', 'rateLimit'],
    ]);
    expect(new Set(events.filter((event) => event.kind === 'llm').map((event) => event.attempt))).toEqual(new Set([2]));
  });

  it('D-22 continues a retry from its checkpoint: rounds, tokens and calls that are done are not repeated', async () => {
    const f = open([{ calls: [readTitle], inputTokens: 10, outputTokens: 1 }, limited, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.clock.advance(30_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
    expect(f.model.requests[2]?.messages).toEqual(f.model.requests[1]?.messages);
    expect((await f.row(id)).rounds).toBe(2);
  });
});

/** What another process's reaper would do. */
async function reclaimByHand(f: RuntimeFixture, id: string): Promise<void> {
  const { ownerToken } = await f.row(id);
  const input = { ownerToken, cause: 'worker_died' } as const;
  await f.store.transition(id, { kind: 'reclaim', input, nowMs: f.clock.nowMs() });
}

describe('waiting for a run', () => {
  const open = useRuntime();

  it('ends with the reason of the signal when the caller stops waiting, and the run goes on', async () => {
    const f = open([]);
    const { id } = await f.start();
    const runtime = new Runtime({ ...f.ports, newRunId: () => '' });
    const stop = new AbortController();
    const waiting = runtime.awaitSettled(OWNER, id, stop.signal);
    await until(() => f.clock.openPauses() === 1);
    stop.abort(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    expect(f.clock.openPauses()).toBe(0);
    expect((await f.row(id)).status).toBe('queued');
  });
});

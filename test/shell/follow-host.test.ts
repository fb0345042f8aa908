import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../src-main/ipc/service.ts';
import { followHost, IS_PAUSED, WAITING_COUNT } from '../../src-main/shell/follow-host.ts';
import type { TopicName } from '../../src-shared/ipc/contract.ts';

/** An inbox whose counts can be set; pauses last until `go`. */
function openInbox(answer?: Service['call']) {
  const inbox = { approval: 0, input: 0, asked: 0, isListening: false };
  const told: number[] = [];
  const reported: unknown[] = [];
  let change: (name: TopicName) => void = () => undefined;
  let go: () => void = () => undefined;
  const stop = followHost(WAITING_COUNT, {
    service: {
      call:
        answer ??
        (async () => {
          inbox.asked += 1;
          return {
            ok: true,
            value: { counts: { waiting_for_approval: inbox.approval, waiting_for_input: inbox.input } },
          };
        }),
      onTopic(listener) {
        inbox.isListening = true;
        change = (name) => listener(name, {});
        return () => void (inbox.isListening = false);
      },
    },
    report: (error) => void reported.push(error),
    pause: () => new Promise((resolve) => (go = resolve)),
    tell: (count) => void told.push(count),
  });
  return {
    inbox,
    told,
    reported,
    stop,
    change: (name: TopicName) => change(name),
    async pass() {
      go();
      await nextTurn();
    },
  };
}

describe('whether everything is paused', () => {
  it('is told at the start and when the health of the host changes', async () => {
    let paused: object | null = null;
    let change: (name: TopicName) => void = () => undefined;
    const told: boolean[] = [];
    const stop = followHost(IS_PAUSED, {
      service: {
        call: async (name) => ({ ok: true, value: name === 'host.health' ? { paused } : {} }),
        onTopic(listener) {
          change = (name) => listener(name, {});
          return () => undefined;
        },
      },
      report: () => undefined,
      pause: () => nextTurn(),
      tell: (isPaused) => void told.push(isPaused),
    });
    await nextTurn();
    await nextTurn();
    paused = { sinceMs: 1, byName: 'Ada' };
    change('runs.changed');
    await nextTurn();
    expect(told).toEqual([false]);
    change('host.healthChanged');
    await nextTurn();
    await nextTurn();
    expect(told).toEqual([false, true]);
    stop();
  });
});

describe('the count of what waits', () => {
  it('is told at the start, with what waits for a decision and what waits for an answer', async () => {
    const { told, pass, inbox, change } = openInbox();
    await pass();
    inbox.approval = 2;
    inbox.input = 1;
    change('runs.changed');
    await pass();
    expect(told).toEqual([0, 3]);
  });

  it('is told at every look, also when it is as it was', async () => {
    const { told, pass, inbox, change } = openInbox();
    await pass();
    change('runs.changed');
    await pass();
    expect(inbox.asked).toBe(2);
    expect(told).toEqual([0, 0]);
  });

  it('looks once for any number of changes during a pause', async () => {
    const { told, pass, inbox, change } = openInbox();
    await nextTurn();
    for (let time = 1; time <= 1_000; time += 1) {
      inbox.approval = time;
      change('runs.changed');
    }
    await nextTurn();
    expect(inbox.asked).toBe(1);
    await pass();
    await pass();
    expect(inbox.asked).toBe(2);
    expect(told).toEqual([0, 1_000]);
  });

  it('does not look for other topics', async () => {
    const { pass, inbox, change } = openInbox();
    await pass();
    change('configurations.changed');
    await pass();
    expect(inbox.asked).toBe(1);
  });

  it('is reported when the inbox does not answer, and looked for again at the next change', async () => {
    let isBroken = true;
    const { told, reported, change } = openInbox(async () =>
      isBroken
        ? { ok: false, fault: { code: 'internal', reference: 'r' } }
        : { ok: true, value: { counts: { waiting_for_approval: 4, waiting_for_input: 0 } } },
    );
    await nextTurn();
    expect(reported).toHaveLength(1);
    isBroken = false;
    change('runs.changed');
    await nextTurn();
    expect(told).toEqual([4]);
  });

  it('is not told after the end, also when an answer was under way', async () => {
    const { told, stop, inbox } = openInbox();
    stop();
    await nextTurn();
    expect(told).toEqual([]);
    expect(inbox.isListening).toBe(false);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import { followHost, IS_PAUSED } from '../../src-main/shell/follow-host.ts';
import { createPauseSwitch } from '../../src-main/shell/pause-switch.ts';

function openSwitch(reply: () => Promise<Reply>) {
  const asked: unknown[] = [];
  const drawn: boolean[] = [];
  const reported: unknown[] = [];
  let refusals = 0;
  const pauseSwitch = createPauseSwitch({
    service: {
      call(name, input) {
        asked.push([name, input]);
        return reply();
      },
    },
    report: (error) => void reported.push(error),
    draw: (isPaused) => void drawn.push(isPaused),
    refuse: () => void (refusals += 1),
  });
  return { pauseSwitch, asked, drawn, reported, refusals: () => refusals };
}

describe('the brake in menu and tray', () => {
  it('asks the host for the other state, and shows it when the host agrees', async () => {
    const { pauseSwitch, asked, drawn, refusals } = openSwitch(async () => ({ ok: true, value: {} }));
    pauseSwitch.turn();
    await nextTurn();
    pauseSwitch.turn();
    await nextTurn();
    expect(asked).toEqual([
      ['host.setPause', { isPaused: true }],
      ['host.setPause', { isPaused: false }],
    ]);
    expect(drawn).toEqual([true, false]);
    expect(refusals()).toBe(0);
  });

  it('takes the tick of a refused click back, and says so', async () => {
    const { pauseSwitch, drawn, refusals } = openSwitch(async () => ({
      ok: false,
      refusal: { kind: 'not_administrator' },
    }));
    pauseSwitch.show(true);
    pauseSwitch.turn();
    await nextTurn();
    expect(drawn).toEqual([true, true]);
    expect(refusals()).toBe(1);
  });

  it('goes on from what the host says, whoever changed it', async () => {
    const { pauseSwitch, asked } = openSwitch(async () => ({ ok: true, value: {} }));
    pauseSwitch.show(true);
    pauseSwitch.turn();
    await nextTurn();
    expect(asked).toEqual([['host.setPause', { isPaused: false }]]);
  });

  it('stands as the host took it when the host tells so before it answers', async () => {
    const { pauseSwitch, drawn } = openSwitch(async () => {
      pauseSwitch.show(true);
      return { ok: true, value: {} };
    });
    pauseSwitch.turn();
    await nextTurn();
    expect(drawn).toEqual([true, true]);
  });

  it('is released when somebody else resumes before the host was looked at again', async () => {
    const { pauseSwitch, drawn } = openSwitch(async () => ({ ok: true, value: {} }));
    let isPaused = false;
    let change: () => void = () => undefined;
    let go: () => void = () => undefined;
    const stop = followHost(IS_PAUSED, {
      service: {
        call: async () => ({ ok: true, value: { paused: isPaused ? { sinceMs: 1 } : null } }),
        onTopic(listener) {
          change = () => listener('host.healthChanged', {});
          return () => undefined;
        },
      },
      report: () => undefined,
      pause: () => new Promise((resolve) => (go = resolve)),
      tell: (now) => pauseSwitch.show(now),
    });
    await nextTurn();
    pauseSwitch.turn();
    isPaused = true;
    change();
    await nextTurn();
    isPaused = false;
    change();
    go();
    await nextTurn();
    expect(drawn).toEqual([true, false]);
    stop();
  });

  it('draws nothing anew while the host says what is shown', () => {
    const { pauseSwitch, drawn } = openSwitch(async () => ({ ok: true, value: {} }));
    for (const now of [false, true, true]) pauseSwitch.show(now);
    expect(drawn).toEqual([true]);
  });

  it('wants the same twice when it is clicked twice before the host answers', async () => {
    const { pauseSwitch, asked, drawn } = openSwitch(async () => ({ ok: true, value: {} }));
    pauseSwitch.turn();
    pauseSwitch.turn();
    await nextTurn();
    expect(asked).toEqual([
      ['host.setPause', { isPaused: true }],
      ['host.setPause', { isPaused: true }],
    ]);
    expect(drawn).toEqual([true, true]);
  });

  it('reports a host that does not answer, and takes the tick of that click back', async () => {
    const { pauseSwitch, reported, drawn } = openSwitch(() => Promise.reject(new Error('gone')));
    pauseSwitch.turn();
    await nextTurn();
    expect(reported).toHaveLength(1);
    expect(drawn).toEqual([false]);
  });
});

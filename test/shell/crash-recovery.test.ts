import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import { describe, expect, it } from 'vitest';
import { recoverFromCrashes } from '../../src-main/shell/crash-recovery.ts';

/** A window whose page can be made to end; `happened` is what a person at it would notice, in order. */
function openWindow(answers: { tryAgain?: boolean; reloadHanging?: boolean } = {}) {
  const happened: string[] = [];
  const reported: string[] = [];
  const state = { isDestroyed: false };
  const contents = Object.assign(new EventEmitter(), {
    reload: () => void happened.push('reloaded'),
    forcefullyCrashRenderer: () => void happened.push('page ended by force'),
  });
  const window = Object.assign(new EventEmitter(), {
    webContents: contents,
    isDestroyed: () => state.isDestroyed,
    destroy() {
      state.isDestroyed = true;
      happened.push('closed');
    },
  });
  recoverFromCrashes(window as unknown as BrowserWindow, {
    report: (facts) => void reported.push(String((facts as { warning?: string }).warning ?? facts)),
    monotonicMs: () => 5_000,
    async askTryAgain() {
      happened.push('asked whether to try again');
      return answers.tryAgain ?? false;
    },
    async askReloadHanging(_window, signal) {
      happened.push('asked whether to reload');
      if (answers.reloadHanging !== undefined) return answers.reloadHanging;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      happened.push('question withdrawn');
      return true;
    },
  });
  async function endPage(reason: string): Promise<void> {
    contents.emit('render-process-gone', {}, { reason, exitCode: 1 });
    await nextTurn();
    await nextTurn();
  }
  return { window, happened, reported, state, endPage };
}

describe('a window whose page crashed', () => {
  it('is loaded again and reported, at most three times in a row, then the person is asked', async () => {
    const { happened, reported, endPage } = openWindow();
    for (let time = 0; time < 4; time += 1) await endPage('crashed');
    expect(happened).toEqual(['reloaded', 'reloaded', 'reloaded', 'asked whether to try again', 'closed']);
    expect(reported).toEqual(Array.from({ length: 4 }, () => 'the page of a window ended'));
  });

  it('has three more tries when the person says so', async () => {
    const { happened, endPage } = openWindow({ tryAgain: true });
    for (let time = 0; time < 7; time += 1) await endPage('oom');
    expect(happened.filter((what) => what === 'reloaded')).toHaveLength(7);
    expect(happened.indexOf('asked whether to try again')).toBe(3);
    expect(happened.lastIndexOf('asked whether to try again')).toBe(3);
  });

  it('stays as it is after a clean exit or when it was closed meanwhile', async () => {
    const { happened, reported, state, endPage } = openWindow();
    await endPage('clean-exit');
    expect(reported).toEqual([]);
    state.isDestroyed = true;
    await endPage('killed');
    expect(happened).toEqual([]);
  });
});

describe('a window that hangs', () => {
  it('asks once, and is ended by force when the person wants it loaded again', async () => {
    const { window, happened } = openWindow({ reloadHanging: true });
    window.emit('unresponsive');
    window.emit('unresponsive');
    await nextTurn();
    expect(happened).toEqual(['asked whether to reload', 'page ended by force']);
  });

  it('goes on hanging when the person waits, and asks again when it hangs again', async () => {
    const { window, happened } = openWindow({ reloadHanging: false });
    window.emit('unresponsive');
    await nextTurn();
    window.emit('unresponsive');
    await nextTurn();
    expect(happened).toEqual(['asked whether to reload', 'asked whether to reload']);
  });

  it.each(['responsive', 'closed'])('withdraws its question when it is %s, and ends nothing', async (event) => {
    const { window, happened } = openWindow();
    window.emit('unresponsive');
    window.emit(event);
    await nextTurn();
    expect(happened).toEqual(['asked whether to reload', 'question withdrawn']);
  });
});

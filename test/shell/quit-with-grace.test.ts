import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from 'electron';
import { describe, expect, it } from 'vitest';
import { quitWithGrace } from '../../src-main/shell/quit-with-grace.ts';

/** An app in Electron's shape: `quit` asks `before-quit` first, and only `exit` ends for certain. */
function openApp(platform: NodeJS.Platform, stop: () => Promise<void> = () => Promise.resolve()) {
  const happened: string[] = [];
  const events = new EventEmitter();
  const app = Object.assign(events, {
    quit() {
      let isHeld = false;
      events.emit('before-quit', { preventDefault: () => (isHeld = true) });
      if (!isHeld) happened.push('ended without grace');
    },
    exit: (code: number) => void happened.push(`exit ${code}`),
  });
  const faults = new EventEmitter();
  quitWithGrace({
    app: app as unknown as App,
    platform,
    process: faults as unknown as NodeJS.Process,
    explain: (error) => void happened.push(`explained ${error.message}`),
    leave() {
      happened.push('left the screen');
      // Closing our windows makes Electron say that the last one is closed.
      events.emit('window-all-closed');
    },
    async stop() {
      await stop();
      happened.push('stopped');
    },
    report: (error) => void happened.push(`reported ${(error as Error).message}`),
  });
  return { app, happened, faults };
}

const never = (): Promise<void> => new Promise(() => undefined);

describe('quitting', () => {
  it('leaves the screen at once, lets work finish, then ends', async () => {
    let finish: () => void = () => undefined;
    const { app, happened } = openApp('linux', () => new Promise((resolve) => (finish = resolve)));
    app.quit();
    await nextTurn();
    expect(happened).toEqual(['left the screen']);
    finish();
    await nextTurn();
    expect(happened).toEqual(['left the screen', 'stopped', 'exit 0']);
  });

  it('ends at once when somebody asks a second time', async () => {
    const { app, happened } = openApp('linux', never);
    app.quit();
    app.quit();
    await nextTurn();
    expect(happened).toEqual(['left the screen', 'exit 0']);
  });

  it('says why it ends after an error that nobody caught', () => {
    const { faults, happened } = openApp('linux');
    faults.emit('uncaughtException', new Error('broken'));
    expect(happened).toEqual(['reported broken', 'explained broken', 'exit 1']);
  });

  it('shows nothing that would keep it waiting when the error comes while it ends', async () => {
    const { app, faults, happened } = openApp('linux', never);
    app.quit();
    await nextTurn();
    faults.emit('uncaughtException', new Error('broken'));
    expect(happened).toEqual(['left the screen', 'reported broken', 'exit 1']);
  });

  it.each(['linux', 'win32'] as const)('follows the last window on %s', async (platform) => {
    const { app, happened } = openApp(platform);
    app.emit('window-all-closed');
    await nextTurn();
    expect(happened).toEqual(['left the screen', 'stopped', 'exit 0']);
  });

  it('does not follow the last window on macOS', async () => {
    const { app, happened } = openApp('darwin');
    app.emit('window-all-closed');
    await nextTurn();
    expect(happened).toEqual([]);
  });

  it('ends with an exit code, and says why in the log, when stopping breaks', async () => {
    const { app, happened } = openApp('linux', () => Promise.reject(new Error('disk full')));
    app.quit();
    await nextTurn();
    expect(happened).toEqual(['left the screen', 'reported disk full', 'exit 1']);
  });
});

import type { BrowserWindow } from 'electron';
import type { Report } from '../system/log.ts';
import { afterPageEnded } from './crash-rules.ts';

export interface RecoveryOptions {
  report: Report;
  monotonicMs(): number;
  /** Whether the person wants a window that keeps stopping loaded once more; otherwise it is closed. */
  askTryAgain(window: BrowserWindow): Promise<boolean>;
  /** Whether the person wants a window that hangs loaded again; ended by the signal when it answers. */
  askReloadHanging(window: BrowserWindow, signal: AbortSignal): Promise<boolean>;
}

/**
 * Loads a window again when its page ended by a crash. The page holds nothing that
 * would be lost: the rows are the state, and it asks for them anew.
 */
export function recoverFromCrashes(window: BrowserWindow, options: RecoveryOptions): void {
  const { report } = options;
  let reloadsMs: readonly number[] = [];
  const contents = window.webContents;

  async function loadAgain(reason: string): Promise<void> {
    const verdict = afterPageEnded(reason, reloadsMs, options.monotonicMs());
    reloadsMs = verdict.reloadsMs;
    if (verdict.action === 'none' || window.isDestroyed()) return;
    if (verdict.action === 'ask') {
      const again = await options.askTryAgain(window);
      if (window.isDestroyed()) return;
      if (!again) return window.destroy();
      reloadsMs = [];
    }
    contents.reload();
  }

  contents.on('render-process-gone', (_event, details) => {
    const { reason, exitCode } = details;
    if (reason !== 'clean-exit') report({ warning: 'the page of a window ended', reason, exitCode }, 'window');
    // Not inside the event: Electron is still taking the dead page apart.
    setImmediate(() => void loadAgain(reason).catch((error: unknown) => report(error, 'window')));
  });
  offerReloadWhenHanging(window, options);
}

/** A page that hangs may come back by itself; until then the person chooses, and is asked once. */
function offerReloadWhenHanging(window: BrowserWindow, { askReloadHanging, report }: RecoveryOptions): void {
  let asking: AbortController | null = null;

  async function ask(answer: AbortController): Promise<void> {
    const wantsReload = await askReloadHanging(window, answer.signal);
    // Ended like a crash, because a page that hangs does not hear a reload; the crash is what loads it again.
    if (wantsReload && !answer.signal.aborted && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  }

  window.on('unresponsive', () => {
    if (asking) return;
    const answer = new AbortController();
    asking = answer;
    report({ warning: 'a window does not answer' }, 'window');
    ask(answer)
      .catch((error: unknown) => report(error, 'window'))
      .finally(() => {
        if (asking === answer) asking = null;
      });
  });
  window.on('responsive', () => {
    asking?.abort();
    asking = null;
  });
  window.on('closed', () => asking?.abort());
}

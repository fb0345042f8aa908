import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { app, ipcMain, powerMonitor, session, type BrowserWindow } from 'electron';
import { openPage, openService, STOP_GRACE_MS, type Console, type startPool } from '../compose.ts';
import type { Report } from '../system/log.ts';
import { resourcesFolder } from '../system/resources-folder.ts';
import { VERSION } from '../system/version.ts';
import { recoverFromCrashes } from './crash-recovery.ts';
import { showMenuAndTray } from './menu-and-tray.ts';
import { refusePermissions } from './page-guard.ts';
import { servePage } from './page-scheme.ts';
import { quitWithGrace } from './quit-with-grace.ts';
import { askReloadHanging, askTryAgain, showUncaught } from './shell-dialogs.ts';
import { shellWords } from './shell-words.ts';
import { openWindowStateFile } from './window-state-file.ts';
import { serveWindows } from './window-transport.ts';
import { createWindows, type Windows } from './windows.ts';

/** What the start of the window hands over. */
export interface WindowHostOptions {
  opened: Console;
  pool: ReturnType<typeof startPool>;
  /** False = nothing is ever seen, for the smoke test. */
  isShown: boolean;
  callerUrl: string;
}

/**
 * Gives an open console everything a desktop app has: windows, their way to the host,
 * menu, tray, and an end with grace. Electron must be ready. The first window is the
 * caller's to open.
 */
export function startWindowHost({ opened, pool, isShown, callerUrl }: WindowHostOptions): Windows {
  const { report } = opened;
  const icons = join(resourcesFolder(callerUrl), 'icons');
  servePage(openPage(callerUrl));
  refusePermissions(session.defaultSession);
  const windows = createWindows({
    preload: join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
    icon: join(icons, 'countersign-128.png'),
    isShown,
    state: openWindowStateFile(join(app.getPath('userData'), 'window-state.json'), report),
    report,
    onOpened: (window) => watch(window, opened),
  });
  const openWindow = async (): Promise<null> => {
    await windows.open();
    return null;
  };
  const service = openService(opened, pool, { surface: 'window', openWindow, version: VERSION, callerUrl });
  serveWindows({ ipc: ipcMain, service, isOurs: windows.isOurs, report, newReference: randomUUID });
  const removeTray = showMenuAndTray({
    opened,
    service,
    windows,
    version: VERSION,
    trayIcon: join(icons, 'countersign-32.png'),
  });
  listenToSystem(windows, report);
  quitWithGrace({
    app,
    platform: process.platform,
    process,
    explain: (error) => showUncaught(shellWords(app.getLocale()), error),
    report,
    leave() {
      removeTray();
      windows.closeAll();
    },
    async stop() {
      await service.close();
      await pool.stop(STOP_GRACE_MS);
      opened.close();
    },
  });
  return windows;
}

function watch(window: BrowserWindow, { report, clock }: Console): void {
  const words = shellWords(app.getLocale());
  recoverFromCrashes(window, {
    report,
    monotonicMs: () => clock.monotonicMs(),
    askTryAgain: (asked) => askTryAgain(asked, words),
    askReloadHanging: (asked, signal) => askReloadHanging(asked, words, signal),
  });
  // Windows ends a session by telling windows.
  window.on('session-end', () => app.quit());
}

function listenToSystem(windows: Windows, report: Report): void {
  app.on('second-instance', () => windows.bringForward());
  app.on('activate', () => windows.bringForward());
  // The other systems end a session by telling the app; it leaves as it always does.
  powerMonitor.on('shutdown', () => app.quit());
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    // Workers are healed by their supervisor, Chromium's own helpers by Chromium.
    if (type !== 'Utility') report({ warning: 'a helper process ended', type, reason, exitCode }, 'window');
  });
}

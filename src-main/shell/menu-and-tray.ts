import { app, Menu } from 'electron';
import type { Console } from '../compose.ts';
import type { Service } from '../ipc/service.ts';
import { menuTemplate } from './menu-template.ts';
import { showAbout } from './shell-dialogs.ts';
import { shellWords } from './shell-words.ts';
import { showTray } from './tray.ts';
import { followWaitingCount } from './waiting-count.ts';
import type { Windows } from './windows.ts';

/** However often runs change, the tray looks once in this time. */
const COUNT_PAUSE_MS = 1_000;

export interface MenuAndTrayOptions {
  opened: Console;
  service: Service;
  windows: Windows;
  version: string;
  trayIcon: string;
}

/** Menu bar, tray and the number on the app's icon, in the language of the system. Returns how to take the tray away. */
export function showMenuAndTray({ opened, service, windows, version, trayIcon }: MenuAndTrayOptions): () => void {
  const { report, clock, installation } = opened;
  const words = shellWords(app.getLocale());
  const newWindow = (): void => void windows.open().catch((error: unknown) => report(error, 'window'));
  const about = (): void =>
    void showAbout(words, { version, database: installation.paths.database }).catch((error: unknown) =>
      report(error, 'about'),
    );
  const template = menuTemplate({
    platform: process.platform,
    words,
    isPackaged: app.isPackaged,
    newWindow,
    showAbout: about,
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));

  const tray = showTray({
    icon: trayIcon,
    words,
    report,
    open: () => windows.bringForward(),
    newWindow,
    quit: () => app.quit(),
  });
  const stopCounting = followWaitingCount({
    service,
    report,
    pause: () => clock.pause(COUNT_PAUSE_MS),
    tell(count) {
      tray.showWaiting(count);
      app.setBadgeCount(count);
    },
  });
  return () => {
    stopCounting();
    tray.remove();
  };
}

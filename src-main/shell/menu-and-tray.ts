import { app, Menu } from 'electron';
import type { Console } from '../compose.ts';
import type { Service } from '../ipc/service.ts';
import { followHost, IS_PAUSED, WAITING_COUNT } from './follow-host.ts';
import { menuTemplate, PAUSE_ITEM } from './menu-template.ts';
import { createPauseSwitch } from './pause-switch.ts';
import { showAbout, showPauseRefused } from './shell-dialogs.ts';
import { shellWords } from './shell-words.ts';
import { showTray } from './tray.ts';
import type { Windows } from './windows.ts';

/** However often things change, menu and tray look once in this time. */
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
    turnPause: () => pauseSwitch.turn(),
    showAbout: about,
  });
  const menu = Menu.buildFromTemplate(template);
  Menu.setApplicationMenu(menu);

  const tray = showTray({
    icon: trayIcon,
    words,
    report,
    open: () => windows.bringForward(),
    newWindow,
    turnPause: () => pauseSwitch.turn(),
    quit: () => app.quit(),
  });
  const pauseSwitch = createPauseSwitch({
    service,
    report,
    draw(isPaused) {
      const item = menu.getMenuItemById(PAUSE_ITEM);
      if (item) item.checked = isPaused;
      tray.showPaused(isPaused);
    },
    refuse: () => void showPauseRefused(words).catch((error: unknown) => report(error, 'pause')),
  });
  const follow = { service, report, pause: () => clock.pause(COUNT_PAUSE_MS) };
  const stopCounting = followHost(WAITING_COUNT, {
    ...follow,
    tell(count) {
      tray.showWaiting(count);
      app.setBadgeCount(count);
    },
  });
  const stopFollowing = followHost(IS_PAUSED, { ...follow, tell: (isPaused) => pauseSwitch.show(isPaused) });
  return () => {
    stopCounting();
    stopFollowing();
    tray.remove();
  };
}

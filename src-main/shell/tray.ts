import { Menu, nativeImage, Tray } from 'electron';
import type { Report } from '../system/log.ts';
import type { ShellWords } from './shell-words.ts';

export interface TrayOptions {
  icon: string;
  words: ShellWords;
  report: Report;
  open(): void;
  newWindow(): void;
  turnPause(): void;
  quit(): void;
}

/** The mark in the system's tray. */
export interface TrayMark {
  showWaiting(count: number): void;
  showPaused(isPaused: boolean): void;
  remove(): void;
}

/**
 * Puts the mark into the tray. A desktop without one loses a convenience and nothing
 * else: it is written to the log once, and the mark does nothing.
 */
export function showTray(options: TrayOptions): TrayMark {
  const { icon, words, report, open } = options;
  try {
    const tray = new Tray(nativeImage.createFromPath(icon));
    // Some desktops show a menu as it was when it was set, so it is set anew for each change.
    const showPaused = (isPaused: boolean): void => tray.setContextMenu(menuOf(options, isPaused));
    showPaused(false);
    tray.on('click', open);
    return {
      showWaiting: (count) => tray.setToolTip(words.waiting(count)),
      showPaused,
      remove: () => tray.destroy(),
    };
  } catch (error) {
    report(error, 'tray');
    return { showWaiting: () => undefined, showPaused: () => undefined, remove: () => undefined };
  }
}

const menuOf = ({ words, open, newWindow, turnPause, quit }: TrayOptions, isPaused: boolean): Menu =>
  Menu.buildFromTemplate([
    { label: words.open, click: open },
    { label: words.newWindow, click: newWindow },
    { type: 'separator' },
    { label: words.pauseEverything, type: 'checkbox', checked: isPaused, click: turnPause },
    { type: 'separator' },
    { label: words.quit, click: quit },
  ]);

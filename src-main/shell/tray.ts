import { Menu, nativeImage, Tray } from 'electron';
import type { Report } from '../system/log.ts';
import type { ShellWords } from './shell-words.ts';

export interface TrayOptions {
  icon: string;
  words: ShellWords;
  report: Report;
  open(): void;
  newWindow(): void;
  quit(): void;
}

/** The mark in the system's tray. */
export interface TrayMark {
  showWaiting(count: number): void;
  remove(): void;
}

/**
 * Puts the mark into the tray. A desktop without one loses a convenience and nothing
 * else: it is written to the log once, and the mark does nothing.
 */
export function showTray({ icon, words, report, open, newWindow, quit }: TrayOptions): TrayMark {
  try {
    const tray = new Tray(nativeImage.createFromPath(icon));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words.open, click: open },
        { label: words.newWindow, click: newWindow },
        { type: 'separator' },
        { label: words.quit, click: quit },
      ]),
    );
    tray.on('click', open);
    return {
      showWaiting: (count) => tray.setToolTip(words.waiting(count)),
      remove: () => tray.destroy(),
    };
  } catch (error) {
    report(error, 'tray');
    return { showWaiting: () => undefined, remove: () => undefined };
  }
}

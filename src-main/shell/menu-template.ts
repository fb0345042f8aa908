import type { MenuItemConstructorOptions } from 'electron';
import type { ShellWords } from './shell-words.ts';

export interface MenuOptions {
  platform: NodeJS.Platform;
  words: ShellWords;
  /** A package has no developer tools in its menu. */
  isPackaged: boolean;
  newWindow(): void;
  /** A person wants everything paused, or to go on. */
  turnPause(): void;
  showAbout(): void;
}

/** The item that is ticked while everything is paused. */
export const PAUSE_ITEM = 'pause';

type Items = MenuItemConstructorOptions[];
const line: MenuItemConstructorOptions = { type: 'separator' };

/** The menu bar, with what a person expects on their platform and where. Every item does what its name says; none decides about a run. */
export function menuTemplate(options: MenuOptions): Items {
  const { platform, words } = options;
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { id: 'about', label: words.about, click: options.showAbout };
  return [
    ...(isMac ? [applicationMenu(words, about)] : []),
    { label: words.file, submenu: fileMenu(options, isMac) },
    { label: words.edit, submenu: editMenu(words) },
    { label: words.view, submenu: viewMenu(options) },
    { label: words.window, role: 'window', submenu: windowMenu(words, isMac) },
    { label: words.help, role: 'help', submenu: isMac ? [] : [about] },
  ];
}

function applicationMenu(words: ShellWords, about: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: 'Countersign',
    submenu: [
      about,
      line,
      { role: 'hide', label: words.hide },
      { role: 'hideOthers', label: words.hideOthers },
      { role: 'unhide', label: words.showAll },
      line,
      { role: 'quit', label: words.quit },
    ],
  };
}

function fileMenu({ words, newWindow, turnPause }: MenuOptions, isMac: boolean): Items {
  return [
    { id: 'new-window', label: words.newWindow, accelerator: 'CommandOrControl+N', click: newWindow },
    line,
    { id: PAUSE_ITEM, label: words.pauseEverything, type: 'checkbox', checked: false, click: turnPause },
    line,
    { role: 'close', label: words.closeWindow },
    ...(isMac ? [] : [line, { role: 'quit', label: words.quit } as const]),
  ];
}

const editMenu = (words: ShellWords): Items => [
  { role: 'undo', label: words.undo },
  { role: 'redo', label: words.redo },
  line,
  { role: 'cut', label: words.cut },
  { role: 'copy', label: words.copy },
  { role: 'paste', label: words.paste },
  { role: 'selectAll', label: words.selectAll },
];

const viewMenu = ({ words, isPackaged }: MenuOptions): Items => [
  { role: 'reload', label: words.reload },
  line,
  { role: 'zoomIn', label: words.zoomIn },
  { role: 'zoomOut', label: words.zoomOut },
  { role: 'resetZoom', label: words.actualSize },
  line,
  { role: 'togglefullscreen', label: words.fullScreen },
  ...(isPackaged ? [] : [line, { role: 'toggleDevTools', label: words.developerTools } as const]),
];

const windowMenu = (words: ShellWords, isMac: boolean): Items => [
  { role: 'minimize', label: words.minimize },
  ...(isMac ? [line, { role: 'front', label: words.bringForward } as const] : []),
];

import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../src-main/shell/menu-template.ts';
import { shellWords } from '../../src-main/shell/shell-words.ts';

type Items = MenuItemConstructorOptions[];

function menuOf(platform: NodeJS.Platform, options: { locale?: string; isPackaged?: boolean } = {}) {
  const clicked: string[] = [];
  const items = menuTemplate({
    platform,
    words: shellWords(options.locale ?? 'en-GB'),
    isPackaged: options.isPackaged ?? false,
    newWindow: () => void clicked.push('new window'),
    turnPause: () => void clicked.push('pause'),
    showAbout: () => void clicked.push('about'),
  });
  return { items, clicked };
}

const itemsIn = (menu: MenuItemConstructorOptions | undefined): Items => (menu?.submenu ?? []) as Items;
/** The role of each item, its id where it has none; separators left out. */
const namesIn = (menu: MenuItemConstructorOptions | undefined): (string | undefined)[] =>
  itemsIn(menu)
    .filter(({ type }) => type !== 'separator')
    .map(({ role, id }) => role ?? id);
const menuNamed = (items: Items, label: string) => items.find((item) => item.label === label);
const everyItem = (items: Items): Items => items.flatMap((item) => [item, ...everyItem(itemsIn(item))]);

describe('the menu bar', () => {
  it.each(['linux', 'win32'] as const)(
    'has the usual menus on %s, with Quit under File and About under Help',
    (platform) => {
      const { items } = menuOf(platform);
      expect(items.map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
      expect(namesIn(menuNamed(items, 'File'))).toEqual(['new-window', 'pause', 'close', 'quit']);
      expect(namesIn(menuNamed(items, 'Help'))).toEqual(['about']);
    },
  );

  it('has the application menu on macOS, with About and Quit there and nowhere else', () => {
    const { items } = menuOf('darwin');
    expect(items.map(({ label }) => label)).toEqual(['Countersign', 'File', 'Edit', 'View', 'Window', 'Help']);
    expect(namesIn(items[0])).toEqual(['about', 'hide', 'hideOthers', 'unhide', 'quit']);
    expect(namesIn(menuNamed(items, 'File'))).toEqual(['new-window', 'pause', 'close']);
    expect(everyItem(items).filter(({ role }) => role === 'quit')).toHaveLength(1);
    expect(everyItem(items).filter(({ id }) => id === 'about')).toHaveLength(1);
  });

  it.each(['linux', 'win32', 'darwin'] as const)('can edit, reload and zoom on %s', (platform) => {
    const { items } = menuOf(platform);
    expect(namesIn(menuNamed(items, 'Edit'))).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']);
    const roles = namesIn(menuNamed(items, 'View'));
    expect(roles.slice(0, 5)).toEqual(['reload', 'zoomIn', 'zoomOut', 'resetZoom', 'togglefullscreen']);
  });

  it('shows developer tools only where it is not packaged', () => {
    expect(namesIn(menuNamed(menuOf('linux').items, 'View'))).toContain('toggleDevTools');
    const packaged = everyItem(menuOf('linux', { isPackaged: true }).items);
    expect(packaged.filter(({ role }) => role === 'toggleDevTools' || role === 'forceReload')).toEqual([]);
  });

  it('opens a window and says what this is', () => {
    const { items, clicked } = menuOf('linux');
    for (const item of everyItem(items)) (item.click as (() => void) | undefined)?.();
    expect(clicked).toEqual(['new window', 'pause', 'about']);
  });

  it.each(['linux', 'win32', 'darwin'] as const)(
    'has a label of ours for every item on %s, in both languages',
    (platform) => {
      const english = everyItem(menuOf(platform).items).filter(({ type }) => type !== 'separator');
      const german = everyItem(menuOf(platform, { locale: 'de-AT' }).items).filter(({ type }) => type !== 'separator');
      expect([...english, ...german].filter(({ label }) => !label)).toEqual([]);
      const same = english.filter(({ label }, index) => label === german[index]?.label).map(({ label }) => label);
      expect(same).toEqual(platform === 'darwin' ? ['Countersign'] : []);
    },
  );
});

describe('the language of the shell', () => {
  it.each([
    ['de', 'Datei'],
    ['de-CH', 'Datei'],
    ['DE', 'Datei'],
    ['en-US', 'File'],
    ['fr', 'File'],
    ['den', 'File'],
    ['', 'File'],
  ])('for the locale "%s" calls the first menu %s', (locale, label) => {
    expect(shellWords(locale).file).toBe(label);
  });

  it('counts in words', () => {
    expect([0, 1, 12].map(shellWords('en').waiting)).toEqual([
      'Countersign: 0 waiting',
      'Countersign: 1 waiting',
      'Countersign: 12 waiting',
    ]);
    expect([0, 1, 12].map(shellWords('de').waiting)).toEqual([
      'Countersign: 0 warten',
      'Countersign: 1 wartet',
      'Countersign: 12 warten',
    ]);
  });
});

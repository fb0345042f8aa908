import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { ConsoleUnderTest } from './console.ts';
import { expectLayout } from './layout.ts';
import { ROOT } from './runtime.ts';
import type { ScreenSize } from './surface.ts';

export type Theme = 'light' | 'dark';

/** The smallest window there is, an ordinary one, and the smallest with everything twice as large. */
export const SIZES: ScreenSize[] = [
  { width: 1440, height: 900, zoom: 1 },
  { width: 900, height: 600, zoom: 1 },
  { width: 900, height: 600, zoom: 2 },
];

/** Carries something out with the system's colours light and dark; the page must follow without a reload. */
export async function inBothThemes(page: Page, look: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await look(theme);
  }
}

/** A picture in test-results/screens, by surface, name, theme and size. */
export async function takePicture(app: ConsoleUnderTest, page: Page, name: string): Promise<void> {
  const folder = join(ROOT, 'test-results', 'screens', app.surface);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), await app.picture(page));
}

/**
 * Shows the present screen in every size and both themes; each time the layout is in order and a picture is taken, and in both
 * themes axe finds nothing grave. The window is as before afterwards.
 */
export async function proveScreen(app: ConsoleUnderTest, name: string, page: Page = app.page): Promise<void> {
  for (const size of SIZES) {
    await app.resize(page, size);
    await inBothThemes(page, async (theme) => {
      await page.evaluate(drawEverything);
      await takePicture(app, page, `${name}-${theme}-${size.width}x${size.height}${size.zoom === 2 ? '-200' : ''}`);
      await test.step(`${name} ${theme} ${size.width}x${size.height} zoom ${size.zoom}`, async () => {
        await expectLayout(page);
        // Colours and names do not depend on the width, and axe is what takes long.
        if (size === SIZES[1]) await expectAccessible(page);
      });
    });
  }
  await app.resize(page, { width: 1200, height: 800, zoom: 1 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Runs in the page. What is far out of sight is not drawn, and keeps the colours of an earlier look until it is. */
async function drawEverything(): Promise<void> {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Words of the page in another language, from its next load on. */
export async function speak(page: Page, language: 'en' | 'de'): Promise<void> {
  await page.evaluate((wanted) => localStorage.setItem('countersign.language', wanted), language);
  await page.reload();
  await page.getByRole('main').waitFor();
}

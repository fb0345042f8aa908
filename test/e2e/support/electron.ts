import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { electronLaunch } from '../../../scripts/lib/electron-launch.mjs';
import { familyOf, isAlive, killAll } from './process-family.ts';
import { ROOT, runtime } from './runtime.ts';
import type { ScreenSize, StartOptions, Surface } from './surface.ts';

/** Goes before the path of the app: the first window opens only when Playwright sees it. */
export const WHEN_ATTACHED = ['-r', join(import.meta.dirname, 'start-when-attached.cjs')];

/** Where no graphics card is, Electron imitates one at a third of all the time a test takes; `npm run smoke` leaves it its own way. */
const WITHOUT_GPU = ['--disable-gpu'];

/** How long a console may take to end with grace. */
const STOP_LIMIT_MS = 20_000;

/** Starts the real window on the built tree. */
export async function startInElectron(options: StartOptions): Promise<Surface> {
  const { electron } = runtime();
  const launch = electronLaunch({ executable: electron.executable, sqliteBinding: electron.sqliteBinding });
  const netLog = join(options.folder, `net-log-${Date.now()}.json`);
  const app = await _electron.launch({
    executablePath: launch.executable,
    args: [...launch.args, ...WHEN_ATTACHED, ...WITHOUT_GPU, '--lang=en-US', `--log-net-log=${netLog}`, ROOT],
    cwd: ROOT,
    env: textOnly({ ...options.environment, COUNTERSIGN_SQLITE_BINDING: electron.sqliteBinding }),
    timeout: 30_000,
  });
  const child = app.process();
  child.stdout?.on('data', (chunk: Buffer) => options.log(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => options.log(chunk.toString()));
  await options.guard.watch(app.context(), (url) => url.protocol === 'countersign-app:');
  // A browser takes this limit from playwright.config.ts; a window does not.
  app.context().setDefaultTimeout(10_000);
  const page = await app.firstWindow();
  const pid = child.pid ?? -1;
  return {
    page,
    hostPid: pid,
    nextPage: () => app.waitForEvent('window'),
    resize: (target, size) => resizeWindow(app, target, size),
    picture: (target) => captureWindow(app, target),
    async stop() {
      const family = familyOf(pid);
      await within(STOP_LIMIT_MS, app.close(), 'The window did not end.').catch(async (error: unknown) => {
        await killAll(family.filter(isAlive));
        throw error;
      });
      await killAll(family.filter(isAlive));
      judgeNetLog(netLog, options);
    },
    async kill() {
      await killAll(familyOf(pid));
      judgeNetLog(netLog, options);
    },
  };
}

/** The window's content gets this size; Electron's own zoom, as a person would use it. */
async function resizeWindow(app: ElectronApplication, page: Page, size: ScreenSize): Promise<void> {
  const window = await app.browserWindow(page);
  await window.evaluate((target, { width, height, zoom }) => {
    target.webContents.setZoomFactor(zoom);
    target.setContentSize(width, height);
  }, size);
  await page.waitForFunction((wanted) => Math.abs(innerWidth - wanted) <= 1, size.width / size.zoom);
}

/** By the window itself: Playwright takes CSS pixels for pixels, and cuts a page off that is zoomed. */
async function captureWindow(app: ElectronApplication, page: Page): Promise<Buffer> {
  const window = await app.browserWindow(page);
  // Without it the window's last picture may be half of one theme and half of the other.
  await page.screenshot({ animations: 'disabled' });
  const encoded = await window.evaluate(async (target) => {
    const image = await target.webContents.capturePage();
    return image.toPNG().toString('base64');
  });
  return Buffer.from(encoded, 'base64');
}

/** Chromium's own record of what it asked the network for, beside and below every page. */
function judgeNetLog(path: string, options: StartOptions): void {
  if (!existsSync(path)) throw new Error(`Electron wrote no net log to ${path}.`);
  const addresses = readFileSync(path, 'utf8').matchAll(/"url":"((?:https?|wss?|ftp):[^"]+)"/g);
  for (const address of new Set([...addresses].map((match) => match[1])))
    options.guard.note(`the window asked the network for ${address}`);
}

async function within<T>(limitMs: number, promise: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Playwright takes texts only. */
function textOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

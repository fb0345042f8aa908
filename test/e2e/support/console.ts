import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { startInChromium } from './chromium.ts';
import { startInElectron } from './electron.ts';
import { createGuard, type Guard } from './guard.ts';
import { bundle, ROOT, runtime } from './runtime.ts';
import { findSite, type Site } from './sample-site.ts';
import type { ScreenSize, StartOptions, Surface, SurfaceName } from './surface.ts';

/** What a project of playwright.config.ts says. */
export interface SurfaceOptions {
  surface: SurfaceName;
}

/** What the command line answered. */
export interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One console with a data folder of its own, and what a test may do to it from outside. */
export interface ConsoleUnderTest {
  surface: SurfaceName;
  /** The first window; another one after `reopen`. */
  readonly page: Page;
  readonly hostPid: number;
  readonly guard: Guard;
  /** Everything the test may write to; deleted after it. */
  folder: string;
  dataFolder: string;
  databasePath: string;
  /** Opens another window the way a person does. */
  openWindow(): Promise<Page>;
  resize(page: Page, size: ScreenSize): Promise<void>;
  /** What is in the window now, as PNG. */
  picture(page: Page): Promise<Buffer>;
  /** SIGKILL for the host and everything it started. */
  kill(): Promise<void>;
  /** Starts again on the same data folder. */
  reopen(): Promise<Page>;
  restartGracefully(): Promise<Page>;
  /** The built command line on the same database. */
  cli(...words: string[]): Promise<Answer>;
  /** As `cli`, for one JSON value. Faults: another exit code than 0. */
  cliJson<T>(...words: string[]): Promise<T>;
  /** The sample site; there is one after it was tried. */
  site(): Site;
  /** What the host has said so far. */
  hostLog(): string;
}

interface Fixtures extends SurfaceOptions {
  /** Added to the environment of the host. */
  hostEnvironment: Record<string, string>;
  guard: Guard;
  app: ConsoleUnderTest;
}

/**
 * Every test gets a console of its own, started on an empty data folder, and fails when a page did what the guard forbids.
 * Whatever was started is ended and deleted after it; what the host said is attached to a test that failed.
 */
export const test = base.extend<Fixtures>({
  surface: ['chromium', { option: true }],
  hostEnvironment: [{}, { option: true }],
  launchOptions: async ({ launchOptions }, use) => use({ ...launchOptions, executablePath: runtime().browser }),
  guard: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const guard = createGuard();
      await use(guard);
      expect(guard.findings(), 'what no page of ours may do').toEqual([]);
    },
    { auto: true },
  ],
  app: async ({ surface, guard, hostEnvironment, playwright, launchOptions }, use, testInfo) => {
    const folder = mkdtempSync(join(tmpdir(), `countersign-e2e-`));
    const said: string[] = [];
    const options: StartOptions = {
      folder,
      environment: environmentFor(folder, hostEnvironment),
      guard,
      log: (text) => said.push(text),
    };
    // Not the shared browser fixture: it would start a Chromium for the window, too.
    const browser = surface === 'chromium' ? await playwright.chromium.launch(launchOptions) : null;
    const start = (): Promise<Surface> => (browser ? startInChromium(browser, options) : startInElectron(options));
    const console = await openConsole(surface, start, options, () => said.join(''));
    try {
      await use(console.app);
      if (testInfo.status !== testInfo.expectedStatus) await attachEvidence(console.app, testInfo);
    } finally {
      await console.end();
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

export { expect } from '@playwright/test';

async function openConsole(
  surface: SurfaceName,
  start: () => Promise<Surface>,
  { folder, environment, guard }: StartOptions,
  hostLog: () => string,
): Promise<{ app: ConsoleUnderTest; end(): Promise<void> }> {
  let current: Surface | null = await start();
  const running = (): Surface => {
    if (!current) throw new Error('The console was ended by this test; reopen it first.');
    return current;
  };
  const end = async (how: 'stop' | 'kill'): Promise<void> => {
    const ending = running();
    current = null;
    await ending[how]();
  };
  const reopen = async (): Promise<Page> => {
    current = await start();
    return current.page;
  };
  const databasePath = join(folder, 'data', 'countersign.db');
  const cli = (...words: string[]): Promise<Answer> => runCli([...words, '--db', databasePath], environment);
  const app: ConsoleUnderTest = {
    surface,
    get page() {
      return running().page;
    },
    get hostPid() {
      return running().hostPid;
    },
    guard,
    folder,
    dataFolder: join(folder, 'data'),
    databasePath,
    async openWindow() {
      const next = running().nextPage();
      await running().page.getByRole('button', { name: 'New window' }).click();
      const page = await next;
      await page.getByRole('main').waitFor();
      return page;
    },
    resize: (page, size) => running().resize(page, size),
    picture: (page) => running().picture(page),
    kill: () => end('kill'),
    reopen,
    async restartGracefully() {
      await end('stop');
      return reopen();
    },
    cli,
    async cliJson<T>(...words: string[]) {
      const answer = await cli(...words, '--json');
      if (answer.code !== 0)
        throw new Error(`cli ${words.join(' ')}: ${answer.code} ${answer.stdout} ${answer.stderr}`);
      return JSON.parse(answer.stdout) as T;
    },
    site: () => findSite(folder),
    hostLog,
  };
  return { app, end: () => (current ? end('stop') : Promise.resolve()) };
}

/** Nothing of the person who runs the tests is read or written: home and data lie in the test's folder. */
function environmentFor(folder: string, added: Record<string, string>): NodeJS.ProcessEnv {
  const { COUNTERSIGN_SQLITE_BINDING: _binding, ELECTRON_RUN_AS_NODE: _node, ...inherited } = process.env;
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    ...inherited,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    COUNTERSIGN_DATA: join(folder, 'data'),
    ...added,
  };
}

function runCli(words: string[], environment: NodeJS.ProcessEnv): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle('cli'), ...words], {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** What a person would want to see of a test that failed. */
async function attachEvidence(
  app: ConsoleUnderTest,
  testInfo: { attach(name: string, options: { body: string | Buffer; contentType: string }): Promise<void> },
): Promise<void> {
  await testInfo.attach('host', { body: app.hostLog(), contentType: 'text/plain' });
  // A test that ended its console has no page to show.
  const picture = await Promise.resolve()
    .then(() => app.picture(app.page))
    .catch(() => null);
  if (picture) await testInfo.attach('page', { body: picture, contentType: 'image/png' });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { electronLaunch } from '../../../scripts/lib/electron-launch.mjs';
import { WHEN_ATTACHED } from './electron.ts';
import { familyOf, isAlive, killAll } from './process-family.ts';
import { ROOT, runtime } from './runtime.ts';

/** The window with a hand on Electron itself, for what a page cannot show. */
export interface Shell {
  app: ElectronApplication;
  page: Page;
  pid: number;
  databasePath: string;
  /** The code it ended with; null when a signal ended it. */
  exitCode(): Promise<number | null>;
  /** Ends whatever is left of it. */
  end(): Promise<void>;
}

/** How the built app is started by hand in `folder`, with these words. */
function command(folder: string, words: string[]) {
  const { electron } = runtime();
  const launch = electronLaunch({ executable: electron.executable, sqliteBinding: electron.sqliteBinding });
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const environment = { ...launch.env, HOME: home, XDG_CONFIG_HOME: home, COUNTERSIGN_DATA: join(folder, 'data') };
  const texts = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { executable: launch.executable, args: [...launch.args, ...words], env: Object.fromEntries(texts) };
}

/** Starts the window on the data folder in `folder` and waits for its first page. */
export async function startShell(folder: string, words: string[] = ['--lang=en-US']): Promise<Shell> {
  const { executable, args, env } = command(folder, words);
  const app = await _electron.launch({
    executablePath: executable,
    args: [...WHEN_ATTACHED, ...args, ROOT],
    cwd: ROOT,
    env,
  });
  const child = app.process();
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const page = await app.firstWindow();
  await page.getByRole('main').waitFor();
  const pid = child.pid ?? -1;
  return {
    app,
    page,
    pid,
    databasePath: join(folder, 'data', 'countersign.db'),
    exitCode: async () => (await exit)[0],
    end: async () => killAll(familyOf(pid).filter(isAlive)),
  };
}

/** What a start by hand came to. */
export interface Start {
  pid: number;
  code: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  end(): Promise<void>;
}

/** Starts the app without Playwright, as a person's second click does. */
export function startByHand(folder: string, words: string[]): Start {
  const { executable, args, env } = command(folder, [ROOT, ...words]);
  const child = spawn(executable, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const pid = child.pid ?? -1;
  return {
    pid,
    code: (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code),
    stdout: () => stdout,
    stderr: () => stderr,
    end: async () => killAll(familyOf(pid).filter(isAlive)),
  };
}

/** The processes of the workers, as Electron lists them. */
export const workerPids = (app: ElectronApplication): Promise<number[]> =>
  app.evaluate((electron) =>
    electron.app
      .getAppMetrics()
      .filter(({ name }) => name === 'Countersign worker')
      .map(({ pid }) => pid),
  );

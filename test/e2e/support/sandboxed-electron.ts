import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { familyOf, isAlive, killAll } from './process-family.ts';
import { ROOT, runtime } from './runtime.ts';

/** Chromium's sandbox refuses to start for root; `nobody` has these numbers on every Linux. */
const NOBODY = { user: 65_534, group: 65_534 };
const START_LIMIT_MS = 30_000;

/** A window with Chromium's whole sandbox, started by a person who is not root. */
export interface SandboxedWindow {
  page: Page;
  browser: Browser;
  /** Everything of this person lies below. */
  home: string;
  databasePath: string;
  /** The user the window runs as. */
  userId: number;
  /** The lines of /proc/PID/status of each renderer. */
  rendererStatus(): string[];
  said(): string;
  end(): Promise<void>;
}

/**
 * Starts the built app below `folder` with the sandbox on. As root the runtime and the app are copied to where `nobody` can
 * read them, Chromium's helper gets the rights it needs (root, set-uid), and `setpriv` gives up root for good. Playwright's own
 * way to start Electron is not used: it injects a script into the main process, and this start is to be the one of a person.
 */
export async function startSandboxed(folder: string): Promise<SandboxedWindow> {
  const isRoot = process.getuid?.() === 0;
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const { executable, binding, app } = isRoot ? copyForNobody(folder) : installed();
  const environment = environmentOf(home, binding, isRoot);
  if (isRoot) giveAway(home);
  // Where the kernel offers namespaces Chromium would do without its helper, and the helper is what a strict system needs.
  const withHelper = isRoot ? ['--disable-namespace-sandbox'] : [];
  const command = [executable, ...withHelper, '--remote-debugging-port=0', '--lang=en-US', app];
  const asNobody = ['setpriv', `--reuid=${NOBODY.user}`, `--regid=${NOBODY.group}`, '--clear-groups'];
  const [program = '', ...words] = isRoot ? [...asNobody, ...command] : command;
  const child = spawn(program, words, { cwd: app, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const end = async (): Promise<void> => killAll(familyOf(child.pid ?? -1));
  try {
    const browser = await chromium.connectOverCDP(await debuggerOf(child, () => said));
    const context = browser.contexts()[0];
    if (!context) throw new Error('The window has no page.');
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    return {
      page,
      browser,
      home,
      databasePath: join(home, 'data', 'countersign.db'),
      userId: isRoot ? NOBODY.user : userInfo().uid,
      rendererStatus: () => renderersOf(child.pid ?? -1),
      said: () => said,
      async end() {
        await browser.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw new Error(`The sandboxed window did not start. It said:\n${said}`, { cause: error });
  }
}

/** The runtime as it is installed; for a person who may use it directly. */
function installed(): { executable: string; binding: string | undefined; app: string } {
  const { electron } = runtime();
  return { executable: electron.executable, binding: electron.sqliteBinding, app: ROOT };
}

/** Runtime and app may lie below root's home, where nobody else can read. */
function copyForNobody(folder: string): { executable: string; binding: string | undefined; app: string } {
  const { electron } = runtime();
  chmodSync(folder, 0o755);
  const target = join(folder, 'electron');
  linkTree(dirname(electron.executable), target);
  const helper = join(target, 'chrome-sandbox');
  copyFileSync(join(dirname(electron.executable), 'chrome-sandbox'), helper);
  chownSync(helper, 0, 0);
  chmodSync(helper, 0o4755);
  const app = join(folder, 'app');
  for (const part of ['out', 'resources', 'package.json', join('node_modules', 'better-sqlite3')]) {
    cpSync(join(ROOT, part), join(app, part), { recursive: true, dereference: true });
  }
  const binding = electron.sqliteBinding && join(folder, basename(electron.sqliteBinding));
  if (electron.sqliteBinding && binding) copyFileSync(electron.sqliteBinding, binding);
  return { executable: join(target, basename(electron.executable)), binding, app };
}

/** A second name for every file but the helper: 260 MB need not be written for one test. */
function linkTree(source: string, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) linkTree(from, to);
    else if (entry.name !== 'chrome-sandbox') linkOrCopy(from, to);
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // The temporary folder lies on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}

/** The display's key is root's; a copy of it is the person's. */
function environmentOf(home: string, binding: string | undefined, isRoot: boolean): NodeJS.ProcessEnv {
  const { COUNTERSIGN_SQLITE_BINDING: _binding, ELECTRON_RUN_AS_NODE: _node, ...inherited } = process.env;
  const key = process.env.XAUTHORITY ?? join(homedir(), '.Xauthority');
  const ownKey = join(home, '.Xauthority');
  if (isRoot && existsSync(key)) copyFileSync(key, ownKey);
  const display = isRoot && existsSync(key) ? { XAUTHORITY: ownKey } : {};
  return {
    ...inherited,
    ...display,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: home,
    COUNTERSIGN_DATA: join(home, 'data'),
    ...(binding ? { COUNTERSIGN_SQLITE_BINDING: binding } : {}),
  };
}

function giveAway(folder: string): void {
  chownSync(folder, NOBODY.user, NOBODY.group);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chownSync(join(entry.parentPath, entry.name), NOBODY.user, NOBODY.group);
  }
}

async function debuggerOf(child: ChildProcess, said: () => string): Promise<string> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const gone = once(child, 'exit', { signal: limit }).then(([code]) => {
    throw new Error(`It ended with ${code}.`);
  });
  const found = async (): Promise<string> => {
    for (;;) {
      const address = /DevTools listening on (ws:\S+)/.exec(said())?.[1];
      if (address) return address;
      await once(child.stderr ?? child, 'data', { signal: limit });
    }
  };
  return Promise.race([found(), gone]);
}

/** Only a renderer is started with this word, and only by the window itself or its zygote. */
function renderersOf(pid: number): string[] {
  return familyOf(pid)
    .filter((each) => isAlive(each) && readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('--type=renderer'))
    .map((each) => readFileSync(`/proc/${each}/status`, 'utf8'));
}

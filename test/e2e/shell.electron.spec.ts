import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { Bridge } from '../../src-shared/ipc/bridge.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import { isAlive, killAll, signal } from './support/process-family.ts';
import { startByHand, startShell, workerPids, type Shell, type Start } from './support/shell.ts';

/*
 * What only the real Electron can show: the shell around the page. These start their
 * own windows, because they end, crash and start them in ways no other spec may.
 */

let folder: string;
let started: (Shell | Start)[];

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-shell-'));
  started = [];
});
test.afterEach(async () => {
  for (const each of started) await each.end();
  rmSync(folder, { recursive: true, force: true });
});

async function openShell(words?: string[]): Promise<Shell> {
  const shell = await startShell(folder, words);
  started.push(shell);
  return shell;
}
function openByHand(words: string[]): Start {
  const start = startByHand(folder, words);
  started.push(start);
  return start;
}
/** What the bridge of this page answers to a call without input. */
const askHost = (page: Page, name: string): Promise<Reply> =>
  page.evaluate((call) => (window as unknown as { countersign: Bridge }).countersign.invoke(call, {}), name);
const windowCount = ({ app }: Shell): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
/** Runs in the page of the first window, also after that page was ended and loaded again, when Playwright has lost it. */
const inPage = <T>({ app }: Shell, script: string): Promise<T> =>
  app.evaluate(
    ({ BrowserWindow }, text) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(text),
    script,
  ) as Promise<T>;
const logOf = ({ databasePath }: Shell): string =>
  existsSync(`${databasePath}.log`) ? readFileSync(`${databasePath}.log`, 'utf8') : '';

test.describe('the brake in the menu', () => {
  test('pauses and resumes everything, and is ticked by what the host says', async () => {
    const shell = await openShell();
    const isTicked = (): Promise<boolean | undefined> =>
      shell.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('pause')?.checked);
    const click = (): Promise<void> =>
      shell.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('pause')?.click());
    expect(await isTicked()).toBe(false);
    await click();
    await expect(shell.page.getByText(/Everything is paused by/)).toBeVisible();
    await expect.poll(isTicked).toBe(true);
    await shell.page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(isTicked).toBe(false);
  });
});

test.describe('one console for each database', () => {
  test('T-117 a second start says so, ends with 0 and leaves one window', async () => {
    const shell = await openShell();
    const second = openByHand([]);
    expect(await second.code).toBe(0);
    expect(second.stdout()).toBe('Countersign is open on this database already; its window comes to the front.\n');
    expect(await windowCount(shell)).toBe(1);
  });

  test('a start on another database is a console of its own', async () => {
    const shell = await openShell();
    const other = openByHand(['--db', join(folder, 'elsewhere', 'other.db'), '--smoke']);
    expect(await other.code).toBe(0);
    expect(other.stdout()).toContain('smoke ok');
    const third = await openShell([`--db=${join(folder, 'elsewhere', 'other.db')}`, '--lang=en-US']);
    expect(await askHost(third.page, 'host.session')).toMatchObject({
      ok: true,
      value: { surface: 'window', database: join(folder, 'elsewhere', 'other.db') },
    });
    expect(await windowCount(shell)).toBe(1);
  });
});

test.describe('the page in its window', () => {
  test('has the bridge and nothing else of the host', async () => {
    const { page } = await openShell();
    const found = await page.evaluate(() => ({
      bridge: Object.keys((window as unknown as { countersign: Bridge }).countersign).toSorted(),
      others: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in window),
    }));
    expect(found).toEqual({ bridge: ['invoke', 'subscribe', 'unsubscribe'], others: [] });
    const reply = await askHost(page, 'constructor');
    expect(reply).toEqual({ ok: false, fault: { code: 'unknown_channel', reference: 'not-sent' } });
  });

  test('cannot leave, open anything, or get anything of the machine', async () => {
    const shell = await openShell();
    const { page } = shell;
    const address = page.url();
    const got = await page.evaluate(async () => {
      const opened = window.open('https://example.org/') ?? window.open(location.href);
      const states = await Promise.all(
        ['geolocation', 'notifications', 'camera', 'microphone'].map(
          async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state,
        ),
      );
      const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'granted',
        () => 'refused',
      );
      const place = await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code),
        ),
      );
      return { opened, states, media, place };
    });
    expect(got).toEqual({ opened: null, states: ['denied', 'denied', 'denied', 'denied'], media: 'refused', place: 1 });
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'data:text/plain,downloaded';
      link.download = 'downloaded.txt';
      link.click();
      location.href = 'https://example.org/';
    });
    await page.evaluate(() => {
      location.href = 'file:///etc/passwd';
    });
    // Refused at once, so a page that still answers with its own address has gone nowhere.
    await page.waitForTimeout(500);
    expect(page.url()).toBe(address);
    expect(await page.getByRole('main').isVisible()).toBe(true);
    expect(await windowCount(shell)).toBe(1);
  });

  test('can be loaded again and zoomed, and still reaches its host', async () => {
    const { app, page } = await openShell();
    await page.reload();
    await page.getByRole('main').waitFor();
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomLevel(2));
    await page.evaluate(() => location.reload());
    await page.getByRole('main').waitFor();
    expect(await askHost(page, 'host.session')).toMatchObject({ ok: true });
  });

  test('is refused when it is not our page, and that is in the log', async () => {
    const shell = await openShell();
    const reply = await shell.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        await stranger.loadURL('countersign-app://console/');
        const answer: unknown = await stranger.webContents.executeJavaScript("countersign.invoke('host.session', {})");
        stranger.destroy();
        return answer;
      },
      join(import.meta.dirname, '..', '..', 'out', 'preload', 'preload.cjs'),
    );
    expect(reply).toMatchObject({ ok: false, fault: { code: 'not_allowed' } });
    expect(logOf(shell)).toContain((reply as { fault: { reference: string } }).fault.reference);
  });
});

test.describe('a page that crashes', () => {
  test('comes back by itself, with calls and topics', async () => {
    const shell = await openShell();
    await shell.app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const isBack = new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()));
      contents?.forcefullyCrashRenderer();
      await isBack;
    });
    const heard = await inPage<unknown>(
      shell,
      `new Promise((resolve, reject) => {
        countersign.subscribe('configurations.changed', () => resolve('heard'));
        countersign.invoke('configurations.trySample', {}).then((reply) => reply.ok || reject(new Error(JSON.stringify(reply))));
      })`,
    );
    expect(heard).toBe('heard');
    expect(logOf(shell)).toContain('the page of a window ended');
  });

  test('again and again is asked about, and comes back once more when the person says so', async () => {
    const shell = await openShell();
    await shell.app.evaluate(({ dialog, BrowserWindow }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      Object.assign(dialog, {
        async showMessageBox(_window: unknown, options: { message: string }) {
          asked.push(options.message);
          return { response: 0 };
        },
      });
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // The next crash as soon as the page is there again: a page that cannot live.
      Object.assign(globalThis, { loads: 0 });
      contents?.on('did-finish-load', () => {
        (globalThis as unknown as { loads: number }).loads += 1;
        if (asked.length === 0) contents.forcefullyCrashRenderer();
      });
      contents?.forcefullyCrashRenderer();
    });
    const asked = (): Promise<string[]> =>
      shell.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
    await expect.poll(asked).toEqual(['This window has stopped several times in a row.']);
    // "Try Again" was the answer: the page is there once more, and nothing is asked twice.
    await expect.poll(() => shell.app.evaluate(() => (globalThis as unknown as { loads: number }).loads)).toBe(4);
    expect(await inPage(shell, "document.querySelector('#root') !== null")).toBe(true);
    expect(logOf(shell).match(/the page of a window ended/g)).toHaveLength(4);
    expect(await asked()).toHaveLength(1);
  });
});

test.describe('the desktop around it', () => {
  test('remembers where the window stood, and opens the next one a step further', async () => {
    const first = await openShell();
    const wanted = { x: 140, y: 90, width: 1010, height: 720 };
    await first.app.evaluate(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      wanted,
    );
    await first.app.close();
    const second = await openShell();
    const bounds = (): Promise<unknown[]> =>
      second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getBounds()));
    expect(await bounds()).toEqual([wanted]);
    await second.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('new-window')?.click());
    await expect.poll(bounds).toContainEqual({ ...wanted, x: 168, y: 118 });
    expect(await windowCount(second)).toBe(2);
  });

  test('opens at the usual size when what it remembered is broken', async () => {
    mkdirSync(join(folder, 'data', 'window'), { recursive: true });
    writeFileSync(join(folder, 'data', 'window', 'window-state.json'), '{"bounds":{"x":1e9');
    const { app } = await openShell();
    const size = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
    expect(size).toEqual([1280, 860]);
  });

  test('has its menus in the language of the system', async () => {
    const english = await openShell(['--lang=en-US']);
    const labels = ({ app }: Shell): Promise<string[] | undefined> =>
      app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label));
    expect(await labels(english)).toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
    await english.app.close();
    expect(await labels(await openShell(['--lang=de']))).toEqual([
      'Datei',
      'Bearbeiten',
      'Ansicht',
      'Fenster',
      'Hilfe',
    ]);
  });
});

test.describe('the end', () => {
  for (const [how, ask] of [
    ['Quit', (shell: Shell) => shell.app.evaluate(({ app }) => app.quit())],
    ['the last window', (shell: Shell) => shell.page.close()],
    ['SIGTERM', async (shell: Shell) => signal(shell.pid, 'SIGTERM')],
    ['SIGINT', async (shell: Shell) => signal(shell.pid, 'SIGINT')],
  ] as const) {
    test(`by ${how} waits for a worker that is not done, then closes everything and ends with 0`, async () => {
      const shell = await openShell();
      const workers = await workerPids(shell.app);
      expect(workers).toHaveLength(2);
      const [busy = -1] = workers;
      try {
        signal(busy, 'SIGSTOP');
        // The call itself may be cut off by the end it asks for.
        await ask(shell).catch(() => undefined);
        const soon = new Promise((resolve) => setTimeout(resolve, 1_000, 'still there'));
        expect(await Promise.race([shell.exitCode(), soon])).toBe('still there');
        signal(busy, 'SIGCONT');
        expect(await shell.exitCode()).toBe(0);
        // Electron hears of a worker's end a moment before the system is done with its process.
        await expect.poll(() => workers.filter(isAlive), { timeout: 2_000 }).toEqual([]);
        expect(existsSync(`${shell.databasePath}-wal`)).toBe(false);
      } finally {
        await killAll(workers.filter(isAlive));
      }
    });
  }

  test('waits for workers, with no window left, and comes at once when asked a second time', async () => {
    const shell = await openShell();
    const workers = await workerPids(shell.app);
    try {
      // Workers that cannot finish: the grace would last to its end.
      for (const pid of workers) signal(pid, 'SIGSTOP');
      await shell.app.evaluate(({ app }) => app.quit());
      await expect.poll(() => windowCount(shell)).toBe(0);
      expect(isAlive(shell.pid)).toBe(true);
      await shell.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
      const ended = await Promise.race([
        shell.exitCode(),
        new Promise((resolve) => setTimeout(resolve, 5_000, 'late')),
      ]);
      expect(ended).toBe(0);
    } finally {
      await killAll(workers.filter(isAlive));
    }
  });
});

test.describe('a start that cannot be', () => {
  test('is said where the person looks and ends with 1', async () => {
    const foreign = join(folder, 'letter.txt');
    writeFileSync(foreign, 'This is a letter, not a database, and it is long enough to be looked at. '.repeat(50));
    const start = openByHand(['--db', foreign, '--smoke']);
    expect(await start.code).toBe(1);
    expect(start.stderr()).toMatch(/Countersign could not start: .+/);
    expect(readFileSync(foreign, 'utf8')).toContain('This is a letter');
    // Without --smoke the sentence stands in a box until somebody has read it.
    const shown = openByHand(['--db', foreign]);
    await expect.poll(shown.stderr).toMatch(/Countersign could not start: .+/);
    expect(await Promise.race([shown.code, new Promise((resolve) => setTimeout(resolve, 1_000, 'shown'))])).toBe(
      'shown',
    );
  });

  test('is one with --db and no path', async () => {
    const start = openByHand(['--smoke', '--db']);
    expect(await start.code).toBe(1);
    expect(start.stderr()).toContain('Countersign could not start: --db needs the path of a database.');
  });
});

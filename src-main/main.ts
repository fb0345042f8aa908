/*
 * The window. Same console and worker pool as every other host; the page comes over
 * the scheme of its own. `--smoke` starts everything, proves that it answers, prints
 * one line and quits.
 */
import { join } from 'node:path';
import { app } from 'electron';
import { openConsole, openPage, startPool, STOP_GRACE_MS } from './compose.ts';
import { PAGE_URL, registerPageScheme, servePage } from './shell/page-scheme.ts';
import { smokeLine } from './shell/smoke.ts';
import { forkUtility } from './shell/utility-fork.ts';
import { openWindow, refuseNavigation } from './shell/window.ts';
import { siblingEntry } from './system/entry-path.ts';
import { dataFolder } from './system/paths.ts';

const isSmoke = process.argv.includes('--smoke');

// Electron's own files stand apart from ours: on some systems its default folder and ours are one.
app.setPath('userData', join(dataFolder(), 'window'));
registerPageScheme();
refuseNavigation();
// Not awaited here: Electron becomes ready only after this module has been evaluated.
if (isSmoke || app.requestSingleInstanceLock()) start().catch(giveUp);
else app.quit();

/** Nothing works without a start: say why, and leave with an exit code. */
function giveUp(error: unknown): void {
  process.stderr.write(`Countersign could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  app.exit(1);
}

async function start(): Promise<void> {
  await app.whenReady();
  const opened = openConsole(argument('--db'));
  const pool = startPool(opened, 2, () => forkUtility(siblingEntry(import.meta.url, 'worker'), 'Countersign worker'));
  servePage(openPage(import.meta.url));
  const window = openWindow(!isSmoke);
  await Promise.all([pool.ready(), window.loadURL(PAGE_URL)]);

  let isStopping = false;
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (isStopping) return;
    isStopping = true;
    event.preventDefault();
    void pool.stop(STOP_GRACE_MS).finally(() => {
      opened.close();
      app.quit();
    });
  });
  if (!isSmoke) return;
  process.stdout.write(`${await smokeLine(opened, pool.workers().length, import.meta.url)}\n`);
  app.quit();
}

function argument(name: string): string | undefined {
  const index = process.argv.indexOf(name);
  return index >= 0 ? process.argv[index + 1] : undefined;
}

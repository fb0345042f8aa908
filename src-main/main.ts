/*
 * The window. Same console and worker pool as every other host; the page comes over
 * the scheme of its own and talks over the bridge. `--smoke` starts everything, proves
 * that it answers, prints one line and quits.
 */
import { app, dialog } from 'electron';
import { openConsole, startPool } from './compose.ts';
import { refuseNavigation } from './shell/page-guard.ts';
import { registerPageScheme } from './shell/page-scheme.ts';
import { shellWords } from './shell/shell-words.ts';
import { smokeLine } from './shell/smoke.ts';
import { startArguments, type StartArguments } from './shell/start-arguments.ts';
import { forkUtility } from './shell/utility-fork.ts';
import { startWindowHost } from './shell/window-host.ts';
import { siblingEntry } from './system/entry-path.ts';
import { windowFolder } from './system/paths.ts';

const isSmoke = process.argv.includes('--smoke');
registerPageScheme();
refuseNavigation(app);
// Not awaited here: Electron becomes ready only after this module has been evaluated.
begin().catch(giveUp);

async function begin(): Promise<void> {
  // Electron's own files stand apart from ours: on some systems its default folder and ours are one.
  app.setPath('userData', windowFolder());
  const given = startArguments(process.argv);
  app.setPath('userData', windowFolder(given.databasePath));
  // One console for each database: the lock belongs to the folder just named.
  if (isSmoke || app.requestSingleInstanceLock()) return start(given);
  process.stdout.write('Countersign is open on this database already; its window comes to the front.\n');
  app.exit(0);
}

async function start({ databasePath }: StartArguments): Promise<void> {
  await app.whenReady();
  const opened = openConsole(databasePath, app.isPackaged);
  const pool = startPool(opened, 2, () => forkUtility(siblingEntry(import.meta.url, 'worker'), 'Countersign worker'));
  const windows = startWindowHost({ opened, pool, isShown: !isSmoke, callerUrl: import.meta.url });
  await windows.open();
  if (!isSmoke) return;
  await pool.ready();
  process.stdout.write(`${await smokeLine(opened, pool.workers().length, import.meta.url)}\n`);
  app.quit();
}

/** Nothing works without a start: say why, where the person looks, and leave with an exit code. */
async function giveUp(error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Countersign could not start: ${reason}\n`);
  if (!isSmoke) {
    await app.whenReady();
    dialog.showErrorBox(shellWords(app.getLocale()).couldNotStart, reason);
  }
  app.exit(1);
}

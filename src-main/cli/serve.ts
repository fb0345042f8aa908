import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openConsole, startPool, type Console } from '../compose.ts';
import { startHttpHost } from '../ipc/http-host.ts';
import { loadPage } from '../ipc/page-files.ts';
import { createQueries } from '../ipc/queries.ts';
import { siblingEntry } from '../system/entry-path.ts';
import { forkNode } from '../system/node-fork.ts';
import { untilSignal } from '../system/until-signal.ts';
import type { Supervisor } from '../workers/supervisor.ts';

export interface HeadlessOptions {
  databasePath: string | undefined;
  port: number;
  workers: number;
  callerUrl: string;
  print(line: string): void;
}

/** How long steps in flight may finish when the host stops. */
export const STOP_GRACE_MS = 10_000;

/** Forks the worker that stands beside the caller. */
export function startNodePool(opened: Console, count: number, callerUrl: string): Supervisor {
  return startPool(opened, count, () => forkNode(siblingEntry(callerUrl, 'worker')));
}

/** Runs the headless host until SIGINT or SIGTERM. Returns the exit code. */
export async function runHeadless(options: HeadlessOptions): Promise<number> {
  const opened = openConsole(options.databasePath);
  const pool = startNodePool(opened, options.workers, options.callerUrl);
  const http = await startHttpHost({
    port: options.port,
    page: loadPage(join(fileURLToPath(new URL('.', options.callerUrl)), '..', 'renderer')),
    queries: createQueries(opened.runtime, opened.actor),
    report: opened.report,
  });
  await pool.ready();
  options.print(`ready  ${http.address}`);
  options.print(
    `       database ${opened.installation.paths.database}; key ${opened.installation.keyProtection === 'none' ? 'not protected by a passphrase' : 'protected by a passphrase'}; stop with Ctrl+C`,
  );
  await untilSignal();
  await http.close();
  await pool.stop(STOP_GRACE_MS);
  opened.close();
  return 0;
}

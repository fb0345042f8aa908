import { createHash, randomUUID } from 'node:crypto';
import { openService, type Console, type OpenService, type PoolView, type Surface } from '../../src-main/compose.ts';
import type { Actor } from '../../src-main/domain/actor.ts';
import { installationPaths } from '../../src-main/system/paths.ts';
import type { CallName, OutputOf } from '../../src-shared/ipc/contract.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import type { RuntimeFixture } from './runtime.ts';

/** A pool without processes: nothing happens in it, and no model is asked. */
export const QUIET_POOL: PoolView = {
  workers: () => [{ workerId: 'w1', pid: 1, state: 'ready', restarts: 0 }],
  lastWorkerEndAtMs: () => 0,
  onNews: () => () => undefined,
  probeModel: () => Promise.resolve(null),
};

/** The console of a runtime fixture, as if this person had opened it. */
export function consoleOf(f: RuntimeFixture, actor: Actor): Console {
  const { store, statements, sealer, dataKey, clock, runtime, ports } = f;
  const paths = installationPaths(f.path);
  return {
    installation: {
      paths,
      store,
      statements,
      sealer,
      dataKey,
      keyProtection: 'none',
      operator: null,
      close: f.dispose,
    },
    runtime,
    catalogue: ports.catalogue,
    clock,
    report: ports.report,
    actor,
    newId: randomUUID,
    crashPointSetting: null,
    close: f.dispose,
  };
}

/** The whole host side below any transport, for one person, on the store of a fixture. */
export function serviceOf(
  f: RuntimeFixture,
  actor: Actor,
  changes: Partial<Surface> = {},
  pool: PoolView = QUIET_POOL,
): OpenService {
  const surface: Surface = {
    surface: 'browser',
    version: '0.0.0-test',
    openWindow: () => Promise.resolve('http://127.0.0.1:1/#code=one'),
    callerUrl: import.meta.resolve('../../src-main/compose.ts'),
    ...changes,
  };
  return openService(consoleOf(f, actor), pool, surface);
}

/** Everything a database holds, as one hash: equal before and after = nothing was changed. */
export function contentDigest({ database }: Pick<RuntimeFixture, 'database'>): string {
  const hash = createHash('sha256');
  const tables = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).pluck().all();
  for (const table of tables as string[]) {
    hash.update(table);
    const columns = database.prepare('select count(*) from pragma_table_info(?)').pluck().get(table) as number;
    const order = columns > 1 ? '1, 2' : '1';
    for (const row of database.prepare(`select * from "${table}" order by ${order}`).raw().all() as unknown[][]) {
      for (const value of row) hash.update(Buffer.isBuffer(value) ? value : String(value)).update('|');
    }
  }
  return hash.digest('hex');
}

/** The value of a reply that must be a good one, as the contract describes it. */
export function valueOf<Name extends CallName>(_name: Name, reply: Reply): OutputOf<Name> {
  if (!reply.ok) throw new Error(`Refused: ${JSON.stringify(reply)}`);
  return reply.value as OutputOf<Name>;
}

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConsole, startPool, type Console } from '../../src-main/compose.ts';
import type { Configuration } from '../../src-main/domain/configuration.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import { forkNode } from '../../src-main/system/node-fork.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import type { Supervisor } from '../../src-main/workers/supervisor.ts';
import { SETTINGS } from './store.ts';

export const SOURCES = join(import.meta.dirname, '..', '..', 'src-main');

/** A whole installation of its own with real workers, and a target database that counts every effect. */
export interface World {
  folder: string;
  databasePath: string;
  targetPath: string;
  opened: Console;
  configuration: Configuration;
  /** Starts workers; a crash point kills the first worker that reaches it, once. */
  pool(count?: number, crashPoint?: CrashPoint): Supervisor;
  start(prompt?: string): Promise<RunRecord>;
  /** Rows of the target's log: one for each row that was really inserted, updated or deleted. */
  effects(): { action: string; name: string | null }[];
  target(sql: string): unknown;
  kinds(runId: string): Promise<string[]>;
  dispose(): Promise<void>;
}

/** The scripted answer that proposes one write, then reports. */
export function proposeOnce(call: { name: string; arguments: object }): object {
  return {
    version: 1,
    name: 'one write',
    turns: [{ text: 'I propose a change.', calls: [call] }, { text: 'It is over: {{ results[0].content }}' }],
  };
}

export const RENAME = {
  name: 'update_record',
  arguments: { database: 'target', table: 'items', key: { id: 1 }, values: { name: 'new' } },
};
export async function openWorld(scenario: object): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-world-'));
  const databasePath = join(folder, 'console', 'countersign.db');
  const targetPath = join(folder, 'target.db');
  const scenarioPath = join(folder, 'scenario.json');
  mkdirSync(join(folder, 'console'));
  writeFileSync(scenarioPath, JSON.stringify(scenario));
  makeTarget(targetPath);
  const opened = openConsole(databasePath);
  const configuration: Configuration = {
    id: randomUUID(),
    identifier: 'world',
    isActive: true,
    settings: {
      ...SETTINGS,
      model: { kind: 'scripted', scenarioPath },
      databases: [{ name: 'target', path: targetPath }],
    },
  };
  await opened.installation.store.saveConfiguration(configuration, null, opened.clock.nowMs());
  const pools: Supervisor[] = [];
  const target = (sql: string): unknown => {
    const database = openSqlite(targetPath);
    try {
      const statement = database.prepare(sql);
      return statement.reader ? statement.all() : statement.run();
    } finally {
      database.close();
    }
  };
  return {
    folder,
    databasePath,
    targetPath,
    opened,
    configuration,
    pool(count = 2, crashPoint) {
      const crashPointSetting = crashPoint ? `${crashPoint}:${join(folder, 'crashed')}` : null;
      const pool = startPool({ ...opened, crashPointSetting }, count, () => forkNode(join(SOURCES, 'worker.ts')));
      pools.push(pool);
      return pool;
    },
    async start(prompt = 'Change it') {
      const wanted = {
        configurationId: configuration.id,
        label: 'world',
        prompt,
        maxRounds: null,
        allowedToolNames: null,
      };
      const queued = await opened.runtime.enqueue(opened.actor, wanted);
      if (!queued.ok) throw new Error(queued.refusal.kind);
      return queued.value;
    },
    effects: () => target('select action, name from log order by id') as { action: string; name: string | null }[],
    target,
    async kinds(runId) {
      return (await opened.runtime.events(opened.actor, runId)).map((event) => event.kind);
    },
    async dispose() {
      for (const pool of pools) await pool.stop(5_000);
      opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeTarget(path: string): void {
  const database = openSqlite(path);
  database.exec(`
    create table items (id integer primary key, name text not null, other text not null default '');
    create table log (id integer primary key, action text not null, name text);
    create trigger items_inserted after insert on items begin insert into log (action, name) values ('insert', new.name); end;
    create trigger items_updated after update of name on items begin insert into log (action, name) values ('update', new.name); end;
    insert into items (id, name) values (1, 'old');
    delete from log;
  `);
  database.close();
}

/** Waits for a condition of real processes, at most `limitMs`. */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  limitMs = 15_000,
): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() - startedMs > limitMs) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const hasCrashed = (world: World): boolean => existsSync(join(world.folder, 'crashed'));

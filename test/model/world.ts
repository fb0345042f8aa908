import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Statement } from 'better-sqlite3';
import type { Configuration } from '../../src-main/domain/configuration.ts';
import { signHead } from '../../src-main/store/change-log.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { appendInstallationEvent } from '../../src-main/store/installation-log.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { Statements } from '../../src-main/store/statements.ts';
import type { QueueTimer } from '../../src-main/store/write-queue.ts';
import { openSqlite, type SqliteConnection } from '../../src-main/system/open-sqlite.ts';
import { createSealer, type Sealer } from '../../src-main/system/seal.ts';
import { SETTINGS } from '../support/store.ts';
import type { ModelConfiguration, ModelPerson, ModelWorld } from './model-state.ts';

/*
 * The real store of one sequence: a copy of a file with everybody and every configuration in it, in memory where the system
 * has a place for that, because what survives a power cut is not what is tested here.
 */

export const PEOPLE: ReadonlyMap<number, ModelPerson> = new Map([
  [1, { isAdmin: true, isEnabled: true, mayApprove: false }],
  [3, { isAdmin: false, isEnabled: true, mayApprove: false }],
  [5, { isAdmin: false, isEnabled: true, mayApprove: true }],
  [7, { isAdmin: true, isEnabled: false, mayApprove: false }],
  [9, { isAdmin: false, isEnabled: true, mayApprove: false }],
]);

/** `local` and `twin` are one server of this machine, which serves one run at a time. */
const CONFIGURATION_RULES: ReadonlyMap<string, Omit<ModelConfiguration, 'isActive'>> = new Map([
  [
    'plain',
    {
      endpoint: '',
      limit: 0,
      needsSecondPerson: false,
      offlineLimitMs: 7 * 86_400_000,
      decisionLimitMs: 7_776_000_000,
    },
  ],
  [
    'local',
    { endpoint: 'here', limit: 1, needsSecondPerson: false, offlineLimitMs: 100_000, decisionLimitMs: 7_776_000_000 },
  ],
  [
    'twin',
    { endpoint: 'here', limit: 1, needsSecondPerson: true, offlineLimitMs: 7 * 86_400_000, decisionLimitMs: null },
  ],
]);

function configurationNamed(name: string, isActive: boolean): Configuration {
  const rules = CONFIGURATION_RULES.get(name);
  if (!rules) throw new Error(`There is no configuration ${name}.`);
  const { endpoint, needsSecondPerson: requireSecondApprover, offlineLimitMs, decisionLimitMs } = rules;
  const model = { kind: 'openai_compatible', baseUrl: `http://127.0.0.1:11434/${name}`, modelId: name } as const;
  return {
    id: name,
    identifier: name,
    isActive,
    settings: { ...SETTINGS, ...(endpoint ? { model } : {}), requireSecondApprover, offlineLimitMs, decisionLimitMs },
  };
}

/** The queue waits in no real time: 5 s for a lock are over at once. */
class InstantTimer implements QueueTimer {
  #nowMs = 0;
  monotonicMs(): number {
    return this.#nowMs;
  }
  async pause(): Promise<void> {
    this.#nowMs += 1_000;
  }
  random(): number {
    return 0.5;
  }
}

export class World {
  readonly sealer: Sealer;
  readonly #path: string;
  /** Another process at the same file: sees whether anything was committed, and can keep the lock. */
  readonly outside: SqliteConnection;
  readonly #version: Statement<[]>;
  #database: SqliteConnection;
  statements: Statements;
  store: RunStore;

  constructor(path: string, sealer: Sealer) {
    this.#path = path;
    this.sealer = sealer;
    this.outside = openSqlite(path);
    this.#version = this.outside.prepare<[]>('pragma data_version').pluck();
    this.#database = openConnection(path);
    this.statements = new Statements(this.#database);
    this.store = createSqliteRunStore(this.#database, sealer, new InstantTimer());
  }

  /** What only changes when a transaction wrote something. */
  version(): number {
    return this.#version.get() as number;
  }

  reopen(): void {
    this.store.close();
    this.#database = openConnection(this.#path);
    this.statements = new Statements(this.#database);
    this.store = createSqliteRunStore(this.#database, this.sealer, new InstantTimer());
  }

  async switchConfiguration(name: string, isActive: boolean, nowMs: number): Promise<void> {
    await this.store.saveConfiguration(configurationNamed(name, isActive), undefined, nowMs);
  }

  savePerson(id: number, { isAdmin, isEnabled, mayApprove }: ModelPerson): void {
    const grants = mayApprove ? (['agent_approve'] as const) : [];
    const person = { id, name: `person ${id}`, isAdmin, isEnabled, grants: [...grants], osAccount: `uid:${id}` };
    saveOperator(this.statements, this.sealer, person, 1);
  }

  /** What is stored of every turn becomes unreadable, as on a bad disk. */
  damageTurns(): void {
    this.#database.prepare('update pending_turns set sealed = zeroblob(99)').run();
  }

  /** As an opening does that finds the file to be a copy. */
  noticeCopy(nowMs: number): void {
    this.#database
      .transaction(() => {
        appendInstallationEvent(this.statements, 'restored', { cause: 'copied' }, nowMs);
        signHead(this.statements, (text) => this.sealer.mac(text));
      })
      .immediate();
  }

  dispose(): void {
    this.store.close();
    this.outside.close();
    for (const file of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`]) rmSync(file, { force: true });
  }
}

export interface Worlds {
  open(): World;
  dispose(): void;
}

/** A folder of worlds that all begin alike. */
export function createWorlds(): Worlds {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'countersign-model-'));
  const sealer = createSealer(Buffer.alloc(32, 7));
  const template = join(folder, 'template.db');
  const database = openConnection(template);
  const statements = new Statements(database);
  for (const name of CONFIGURATION_RULES.keys()) {
    saveConfiguration(statements, sealer, configurationNamed(name, true), null, 1);
  }
  database.close();
  const first = new World(template, sealer);
  for (const [id, person] of PEOPLE) first.savePerson(id, person);
  first.store.close();
  first.outside.close();
  let opened = 0;
  return {
    open() {
      opened += 1;
      const path = join(folder, `${opened}.db`);
      copyFileSync(template, path);
      return new World(path, sealer);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What the model knows before anything happened. */
export const newModelWorld = (): ModelWorld => ({
  runs: new Map(),
  people: new Map([...PEOPLE].map(([id, person]) => [id, { ...person }])),
  configurations: new Map([...CONFIGURATION_RULES].map(([name, rules]) => [name, { ...rules, isActive: true }])),
  pause: { isPaused: false, by: 0 },
  doubts: [],
  turnOfDigest: new Map(),
});

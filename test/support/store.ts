import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import {
  DEFAULT_SETTINGS,
  type Configuration,
  type ConfigurationSettings,
} from '../../src-main/domain/configuration.ts';
import type { EnqueueInput } from '../../src-main/domain/enqueue-rules.ts';
import type { Proof } from '../../src-main/domain/proof-rules.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { ensureOperator } from '../../src-main/store/operator-store.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer, type Sealer } from '../../src-main/system/seal.ts';

/** A store on a file of its own, with one administrator (operator 1) and one configuration. */
export interface StoreFixture {
  folder: string;
  path: string;
  database: Database;
  statements: Statements;
  sealer: Sealer;
  dataKey: Buffer;
  store: RunStore;
  configuration: Configuration;
  /** Closes the store and deletes the folder. */
  dispose(): void;
}

export const SETTINGS: ConfigurationSettings = {
  ...DEFAULT_SETTINGS,
  model: { kind: 'scripted', scenarioPath: '/nowhere/scenario.json' },
  systemPrompt: 'You help with a small site.',
  withdrawWindowMs: 0,
};

/** Of no passphrase: for tests in which nobody compares it. */
export const PROOF: Proof = { v: 1, cost: 2, blockSize: 8, parallelization: 1, salt: 'c2FsdA==', hash: 'aGFzaA==' };

export const OPERATOR = { kind: 'operator', operatorId: 1 } as const;

export function openStoreFixture(settings: Partial<ConfigurationSettings> = {}): StoreFixture {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  const path = join(folder, 'countersign.db');
  const dataKey = randomBytes(32);
  const sealer = createSealer(dataKey);
  const database = openOrClean(folder, path);
  const statements = new Statements(database);
  const configuration: Configuration = {
    id: randomUUID(),
    identifier: 'sample',
    isActive: true,
    settings: { ...SETTINGS, ...settings },
  };
  ensureOperator(statements, sealer, { account: 'uid:1', name: 'tester' }, 1);
  saveConfiguration(statements, sealer, configuration, null, 1);
  const store = createSqliteRunStore(database, sealer, systemClock);
  return {
    folder,
    path,
    database,
    statements,
    sealer,
    dataKey,
    store,
    configuration,
    dispose() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A database that does not open leaves no folder behind. */
function openOrClean(folder: string, path: string): Database {
  try {
    return openConnection(path);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A valid request to open a run; every part can be replaced. */
export function enqueueInput(
  configurationId: string,
  changes: Partial<EnqueueInput> = {},
): EnqueueInput & { configurationId: string } {
  return {
    configurationId,
    actor: OPERATOR,
    id: randomUUID(),
    label: 'a run',
    mode: 'queued',
    request: {
      v: 1,
      messages: [{ role: 'user', content: 'Check the meta description of page 42' }],
      allowedToolNames: null,
      temperature: null,
      maxOutputTokens: null,
    },
    maxRounds: null,
    ...changes,
  };
}

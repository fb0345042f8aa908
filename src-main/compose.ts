/*
 * The only files that wire parts together are this one, compose-worker.ts, the inside
 * of a worker, compose-care.ts, which looks after an installation, compose-people.ts, who works with it, and compose-sample.ts, the sample site. `openConsole` is what a host or the command line works with:
 * file, key, person, runtime. `startPool` adds worker processes, `openService` what a
 * page may ask. Nothing here knows Electron: how a process is forked comes in.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSample, SAMPLE } from './compose-sample.ts';
import type { Result } from '../src-shared/refusals.ts';
import type { SessionView } from '../src-shared/views/session-view.ts';
import type { Actor } from './domain/actor.ts';
import type { Clock } from './domain/clock.ts';
import type { Configuration } from './domain/configuration.ts';
import type { PlaceFact } from './domain/connect-rules.ts';
import { SearchFailedError, type RunSearch, type SearchPage, type SearchQuery } from './domain/run-search.ts';
import type { ToolCatalogue } from './domain/tool.ts';
import { ChangeFeed } from './ipc/change-feed.ts';
import { createHandlers } from './ipc/handlers.ts';
import { startHttpHost, type HttpHost } from './ipc/http-host.ts';
import { loadPage, type PageFile } from './ipc/page-files.ts';
import { createService, type Service } from './ipc/service.ts';
import { describeScenario } from './models/scenario.ts';
import { Configurations, type NamedPlace } from './runtime/configurations.ts';
import { findRuns } from './runtime/find-runs.ts';
import { Runtime } from './runtime/runtime.ts';
import { createSampleStarter, saveSample } from './runtime/sample.ts';
import { readApiKey } from './store/configuration-store.ts';
import { openInstallation, restoreKeyFile, type Installation } from './store/installation.ts';
import { rememberEnd } from './store/epoch.ts';
import { verifyChain, type ChainReport } from './store/verify-chain.ts';
import { systemClock } from './system/clock.ts';
import { crashPointSetting } from './system/crash-point-setting.ts';
import { createFileLog, type Report } from './system/log.ts';
import { siblingEntry } from './system/entry-path.ts';
import { diskFloorMb, environmentVariable, logLevel } from './system/environment.ts';
import { createRoomCheck } from './system/free-space.ts';
import { keyFromRecoveryCode } from './system/key-file.ts';
import { forkNode, type ForkedProcess } from './system/node-fork.ts';
import { currentOsAccount } from './system/os-account.ts';
import { installationPaths, samplePath } from './system/paths.ts';
import { SealBrokenError } from './domain/sealed-faults.ts';
import { watchNetwork } from './system/network-watch.ts';
import { createReaderThread } from './system/reader-thread.ts';
import { VERSION } from './system/version.ts';
import { BUILTIN_TOOLS } from './tools/builtin-tools.ts';
import { lookAtPlace } from './tools/look-at-place.ts';
import { buildRegistry } from './tools/registry.ts';
import { createCrashPoint } from './workers/crash-points.ts';
import { hasLivingWorker } from './workers/reaper.ts';
import { startSupervisor, type Supervisor } from './workers/supervisor.ts';
import type { FromWorker, ToWorker } from './workers/worker-messages.ts';

/** What a person works with. */
export interface Console {
  installation: Installation;
  runtime: Runtime;
  catalogue: ToolCatalogue;
  clock: Clock;
  report: Report;
  /** Who works with it: the person of this operating-system account, or another who has shown their passphrase. */
  actor: Actor;
  /** A fresh id, for what a command or host creates. */
  newId(): string;
  /** `POINT:FILE` for this process and those it starts; null = none. */
  crashPointSetting: string | null;
  close(): void;
}

/** This operating-system account is not an operator of the installation. */
export class UnknownAccountError extends Error {
  constructor(name: string) {
    super(
      `The account ${name} is not known to this installation. An administrator has to add it before it can be used.`,
    );
    this.name = 'UnknownAccountError';
  }
}

/**
 * Opens an installation for the current operating-system account. Only Electron's
 * main process knows whether it is packaged, and says so: then no process of this
 * console can be made to die at a crash point.
 * Faults: `UnknownAccountError`, `KeyUnavailableError`, `NewerDatabaseError`,
 * `ForeignDatabaseError`.
 */
export function openConsole(databasePath?: string, isPackaged?: boolean): Console {
  const clock = systemClock;
  const account = currentOsAccount();
  const paths = installationPaths(databasePath);
  const report = createFileLog({ path: paths.log, level: logLevel(), nowMs: clock.nowMs });
  const installation = openInstallation(paths, {
    passphrase: environmentVariable('COUNTERSIGN_PASSPHRASE'),
    account,
    clock,
  });
  if (!installation.operator) {
    installation.close();
    throw new UnknownAccountError(account.name);
  }
  const actor: Actor = { kind: 'operator', operatorId: installation.operator.id };
  const catalogue = buildRegistry(BUILTIN_TOOLS);
  const crashPoint = crashPointSetting(isPackaged);
  const runtime = new Runtime({
    store: installation.store,
    catalogue,
    clock,
    newRunId: randomUUID,
    onRefusedDecision: (facts) => report({ warning: 'decision refused', ...facts }, `run ${facts.runId}`),
    report,
    crashPoint: createCrashPoint(crashPoint),
  });
  return {
    installation,
    runtime,
    catalogue,
    clock,
    report,
    actor,
    newId: randomUUID,
    crashPointSetting: crashPoint,
    close() {
      rememberPlace(installation, report);
      installation.close();
    },
  };
}

/** Without it an older copy of the database is noticed later or not at all; no reason to end with an error. */
function rememberPlace({ statements, paths }: Installation, report: Report): void {
  try {
    rememberEnd(statements, paths);
  } catch (error) {
    report(error, 'instance file');
  }
}

/** How much an older copy may lack and stay unnoticed after its host was killed, ms. */
const REMEMBER_MS = 60_000;

export type ForkWorker = () => ForkedProcess<ToWorker, FromWorker>;

/** Starts `count` worker processes on an open console and keeps them alive. */
export function startPool(opened: Console, count: number, fork: ForkWorker): Supervisor {
  const { clock, report } = opened;
  const { paths, store, dataKey } = opened.installation;
  const crashPoint = createCrashPoint(opened.crashPointSetting);
  const supervisor = startSupervisor({
    store,
    clock,
    report,
    count,
    fork,
    workersFolder: paths.workers,
    crashPoint,
    newWorkerId: () => randomUUID(),
    watchNetwork,
    startMessage: (workerId) => ({
      type: 'start',
      workerId,
      databasePath: paths.database,
      dataKey: dataKey.toString('base64'),
      crashPoint: opened.crashPointSetting,
    }),
  });
  store.onCommitted(({ wakes }) => {
    if (!wakes) return;
    crashPoint('before_wake');
    supervisor.wake();
  });
  return supervisor;
}

/** How long steps in flight may finish when a host stops. */
export const STOP_GRACE_MS = 10_000;

/** A pool of plain Node processes; the worker stands beside the start that asks. */
export function startNodePool(opened: Console, count: number, callerUrl: string): Supervisor {
  return startPool(opened, count, () => forkNode(siblingEntry(callerUrl, 'worker')));
}

/** How a host presents itself to the pages it serves. */
export interface Surface {
  surface: SessionView['surface'];
  version: string;
  /** Opens another window; returns an address when the person's browser has to. */
  openWindow(): Promise<string | null>;
  /** URL of the start, beside which pages and resources stand. */
  callerUrl: string;
}

/** What a page may ask of an open console, whichever way its messages come; closed before the pool is stopped. */
export interface OpenService extends Service {
  close(): Promise<void>;
}

/** What pages learn of a pool, and what they may have it do. */
export type PoolView = Pick<Supervisor, 'workers' | 'lastWorkerEndAtMs' | 'onNews' | 'probeModel'>;

/** Opens the one door for pages, for the person of the console. Topics flow until it is closed. */
export function openService(opened: Console, pool: PoolView, surface: Surface): OpenService {
  const { installation, runtime, actor, report } = opened;
  const { store } = installation;
  const feed = new ChangeFeed({ source: store, clock: opened.clock, report });
  const remembering = setInterval(() => rememberPlace(installation, report), REMEMBER_MS);
  remembering.unref();
  const stopHearing = [
    () => clearInterval(remembering),
    store.onCommitted(() => feed.nudge()),
    pool.onNews((news) => (news === 'workers' ? feed.nudgeHealth() : feed.nudge())),
  ];
  const configurations = openConfigurations(opened, pool);
  const search = openSearch(opened, surface.callerUrl);
  const startSample = createSampleStarter({
    ...opened,
    store,
    sample: {
      identifiers: [SAMPLE[0].identifier, SAMPLE[1].identifier],
      build: () => buildSample(surface.callerUrl, samplePath(installation.paths.database)),
      isWhole: ({ databases, workspaces }) => [...databases, ...workspaces].every(({ path }) => existsSync(path)),
    },
    enqueue: (by, wanted) => runtime.enqueue(by, wanted),
  });
  const service = createService({
    handlers: createHandlers({
      actor,
      runtime,
      findRuns: (wanted) => findRuns({ store, search, report }, actor, wanted),
      configurations,
      trySample: startSample,
      host: {
        surface: surface.surface,
        version: surface.version,
        database: installation.paths.database,
        keyProtection: installation.keyProtection,
        hasRoom: createRoomCheck(installation.paths.database, diskFloorMb(), opened.clock.monotonicMs, report),
        workers: () => ({ workers: pool.workers(), lastWorkerEndAtMs: pool.lastWorkerEndAtMs() }),
        openWindow: surface.openWindow,
      },
    }),
    topics: feed,
    report,
    newReference: () => randomBytes(4).toString('hex'),
  });
  return {
    ...service,
    async close() {
      for (const stop of stopHearing) stop();
      await search.close();
      await feed.close();
    },
  };
}

/** Long enough to start the thread on a busy machine and to look at a million runs; who waits longer has left. */
const SEARCH_LIMIT_MS = 10_000;

/** A search in a thread of its own. */
export interface OpenSearch extends RunSearch {
  close(): Promise<void>;
}

/** Makes runs findable. The thread stands beside the start that asks, and is started by the first search. */
export function openSearch({ installation }: Pick<Console, 'installation'>, callerUrl: string): OpenSearch {
  const thread = createReaderThread<SearchQuery, SearchPage>(
    siblingEntry(callerUrl, 'search-thread'),
    installation.paths.database,
    SEARCH_LIMIT_MS,
  );
  return {
    search: (query) =>
      thread.ask(query).catch((error: unknown) => {
        throw new SearchFailedError(error instanceof Error ? error.message : String(error));
      }),
    close: () => thread.close(),
  };
}

/** Configurations as people see and connect them; what touches files, keys and workers is filled in. Without a pool no model is tested. */
export function openConfigurations({ installation, clock, newId }: Console, pool: PoolView | null): Configurations {
  const { store, statements, sealer, paths } = installation;
  return new Configurations({
    store,
    clock,
    newId,
    lookAt: (place, kind) => lookAtPlace(place, kind, paths.protected),
    describeScenario,
    apiKey(configuration) {
      try {
        return readApiKey(statements, sealer, configuration);
      } catch (error) {
        // The model then says that it wants a key, which is what has to be entered.
        if (error instanceof SealBrokenError) return null;
        throw error;
      }
    },
    probeModel: async (model, apiKey) => (pool ? pool.probeModel(model, apiKey) : null),
  });
}

/** The built page beside a start. */
export const openPage = (callerUrl: string): ((path: string) => PageFile | null) =>
  loadPage(join(dirname(fileURLToPath(callerUrl)), '..', 'renderer'), () => randomBytes(16).toString('base64'));

/** The host without a window. */
export interface HeadlessHost {
  address: string;
  /** Another address for one more window. */
  newAddress(): string;
  stop(): Promise<void>;
}

/** A window that was asked for is opened at once, or not at all. */
const INVITATION_MS = 600_000;

/** Starts page, service and workers on an open console, and resolves when all of it answers. */
export async function startHeadlessHost(
  opened: Console,
  options: { port: number; workers: number; callerUrl: string },
): Promise<HeadlessHost> {
  const { clock, report } = opened;
  const page = openPage(options.callerUrl);
  const pool = startNodePool(opened, options.workers, options.callerUrl);
  let http: HttpHost | null = null;
  const service = openService(opened, pool, {
    surface: 'browser',
    version: VERSION,
    openWindow: () => Promise.resolve(http?.newAddress(INVITATION_MS) ?? null),
    callerUrl: options.callerUrl,
  });
  const stop = async (): Promise<void> => {
    await http?.close();
    await service.close();
    await pool.stop(STOP_GRACE_MS);
  };
  try {
    const started = await startHttpHost({ port: options.port, page, service, clock, report, newSecret });
    http = started;
    await pool.ready();
    return { address: started.address, newAddress: () => started.newAddress(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const newSecret = (): string => randomBytes(32).toString('hex');

/** Whether somebody would carry out a run now: a host's pool or a worker of the command line. */
export function isServed({ installation }: Pick<Console, 'installation'>): boolean {
  return hasLivingWorker({ workersFolder: installation.paths.workers });
}

/** Recomputes the audit chain of an open installation, after SQLite's own check of the file. */
export function verifyInstallation({ installation }: Pick<Console, 'installation'>): ChainReport {
  const damage = installation.statements.database.pragma('integrity_check', { simple: true }) as string;
  const report = verifyChain(installation.statements, installation.sealer);
  if (damage !== 'ok')
    report.problems.unshift({ where: 'file', problem: `SQLite finds it damaged: ${damage.split('\n')[0]}` });
  return report;
}

/** What the file system says of a place that runs of this installation should work on; opens and creates nothing. */
export const lookAt = (databasePath: string | undefined, place: NamedPlace, kind: 'file' | 'folder'): PlaceFact =>
  lookAtPlace(place, kind, installationPaths(databasePath).protected);

/** Rebuilds a lost key file from its recovery code. Faults: `KeyUnavailableError`. */
export function restoreKey(databasePath: string | undefined, code: string): void {
  restoreKeyFile(
    installationPaths(databasePath),
    keyFromRecoveryCode(code),
    environmentVariable('COUNTERSIGN_PASSPHRASE'),
  );
}

/** Builds the sample site in `folder` and saves its configurations. Refuses: operator_unavailable, not_administrator, store_busy. */
export function addSample(opened: Console, callerUrl: string, folder: string): Promise<Result<Configuration[]>> {
  const { store } = opened.installation;
  return saveSample({ ...opened, store }, opened.actor, buildSample(callerUrl, folder));
}

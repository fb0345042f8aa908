/*
 * The only file that wires parts together. `openConsole` is what a host or the
 * command line works with: file, key, person, runtime. `startPool` adds worker
 * processes, `startWorker` is the inside of one. Nothing here knows Electron: how a
 * process is forked comes in.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Actor } from './domain/actor.ts';
import type { Clock } from './domain/clock.ts';
import { DEFAULT_SETTINGS, type ConfigurationSettings } from './domain/configuration.ts';
import { ModelError } from './domain/model-client.ts';
import type { ToolCatalogue, ToolRunner } from './domain/tool.ts';
import { startHttpHost } from './ipc/http-host.ts';
import { loadPage } from './ipc/page-files.ts';
import { createQueries } from './ipc/queries.ts';
import { createModelClient } from './models/model-factory.ts';
import { Runtime } from './runtime/runtime.ts';
import type { CrashPoint, SegmentPorts } from './runtime/segment.ts';
import { readApiKey } from './store/configuration-store.ts';
import { joinInstallation, openInstallation, restoreKeyFile, type Installation } from './store/installation.ts';
import { verifyChain, type ChainReport } from './store/verify-chain.ts';
import { holdAliveLock } from './system/alive-lock.ts';
import { startTimer, systemClock } from './system/clock.ts';
import { createFileLog, type Report } from './system/log.ts';
import { siblingEntry } from './system/entry-path.ts';
import { environmentVariable } from './system/environment.ts';
import { keyFromRecoveryCode } from './system/key-file.ts';
import { forkNode, type ForkedProcess } from './system/node-fork.ts';
import { currentOsAccount } from './system/os-account.ts';
import { installationPaths, type InstallationPaths } from './system/paths.ts';
import { resourcesFolder } from './system/resources-folder.ts';
import { SealBrokenError } from './system/seal.ts';
import { BUILTIN_TOOLS } from './tools/builtin-tools.ts';
import { forkNodeChild, type ForkChild } from './tools/child-channel.ts';
import { ProcessToolRunner } from './tools/process-tool-runner.ts';
import { buildRegistry } from './tools/registry.ts';
import { buildSampleSite } from './tools/sample-site.ts';
import { createCrashPoint } from './workers/crash-points.ts';
import { hasLivingWorker, sweepDeadWorkers } from './workers/reaper.ts';
import { startSupervisor, type Supervisor } from './workers/supervisor.ts';
import { startWorkerLoop, type WorkerLoop } from './workers/worker-loop.ts';
import type { FromWorker, ToWorker } from './workers/worker-messages.ts';

/** What a person works with. */
export interface Console {
  installation: Installation;
  runtime: Runtime;
  catalogue: ToolCatalogue;
  clock: Clock;
  report: Report;
  /** The person of this operating-system account. */
  actor: Actor;
  /** A fresh id, for what a command or host creates. */
  newId(): string;
  crashPoint(point: CrashPoint): void;
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
 * Opens an installation for the current operating-system account.
 * Faults: `UnknownAccountError`, `KeyUnavailableError`, `NewerDatabaseError`,
 * `ForeignDatabaseError`.
 */
export function openConsole(databasePath?: string): Console {
  const clock = systemClock;
  const account = currentOsAccount();
  const paths = installationPaths(databasePath);
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
  const report = createFileLog(paths.log, clock.nowMs);
  const runtime = new Runtime({
    store: installation.store,
    catalogue,
    clock,
    newRunId: randomUUID,
    onRefusedDecision: (facts) => report({ warning: 'decision refused', ...facts }, `run ${facts.runId}`),
  });
  const crashPoint = createCrashPoint(environmentVariable('COUNTERSIGN_CRASH_POINT'));
  return {
    installation,
    runtime,
    catalogue,
    clock,
    report,
    actor,
    newId: randomUUID,
    crashPoint,
    close: () => installation.close(),
  };
}

export type ForkWorker = () => ForkedProcess<ToWorker, FromWorker>;

/** Starts `count` worker processes on an open console and keeps them alive. */
export function startPool({ installation, clock, report }: Console, count: number, fork: ForkWorker): Supervisor {
  const { paths, store, dataKey } = installation;
  const supervisor = startSupervisor({
    store,
    clock,
    report,
    count,
    fork,
    workersFolder: paths.workers,
    newWorkerId: () => randomUUID(),
    startMessage: (workerId) => ({
      type: 'start',
      workerId,
      databasePath: paths.database,
      dataKey: dataKey.toString('base64'),
    }),
  });
  store.onCommitted(({ wakes }) => {
    if (wakes) supervisor.wake();
  });
  return supervisor;
}

/** How the inside of a worker is told who it is and how it forks its tool children. */
export interface WorkerSetting {
  workerId: string;
  databasePath: string;
  dataKey: Buffer;
  transport: string;
  forkToolChild: ForkChild;
  onCommitted?(wakes: boolean): void;
}

export interface Worker {
  loop: WorkerLoop;
  stop(): Promise<void>;
}

/**
 * Opens the file for a worker, takes its proof of life, then starts claiming: in this
 * order, so that no run is ever held by a worker whose death could not be proved.
 */
export function startWorker(setting: WorkerSetting): Worker {
  const clock = systemClock;
  const paths = installationPaths(setting.databasePath);
  const report = createFileLog(paths.log, clock.nowMs);
  const alive = holdAliveLock(join(paths.workers, `${setting.workerId}.alive`));
  const installation = joinInstallation(setting.databasePath, setting.dataKey, clock);
  const { store } = installation;
  if (setting.onCommitted) store.onCommitted(({ wakes }) => setting.onCommitted?.(wakes));
  const catalogue = buildRegistry(BUILTIN_TOOLS);
  const tools = new ProcessToolRunner({
    catalogue,
    aliveDir: paths.workers,
    workerId: setting.workerId,
    forkChild: setting.forkToolChild,
    report: (fault) => report(fault, `tool ${fault.toolName}`),
  });
  const ports = segmentPorts({ installation, paths, clock, report, catalogue, tools });
  const loop = startWorkerLoop({
    ports,
    workerId: setting.workerId,
    pid: process.pid,
    transport: setting.transport,
    newOwnerToken: () => `${setting.transport}:${randomBytes(16).toString('hex')}`,
  });
  return {
    loop,
    async stop() {
      await loop.stop();
      await tools.close();
      store.close();
      alive.release();
    },
  };
}

function segmentPorts(parts: {
  installation: Pick<Installation, 'store' | 'statements' | 'sealer'>;
  paths: InstallationPaths;
  clock: Clock;
  report: Report;
  catalogue: ToolCatalogue;
  tools: ToolRunner;
}): SegmentPorts {
  const { store, statements, sealer } = parts.installation;
  return {
    store,
    tools: parts.tools,
    catalogue: parts.catalogue,
    clock: parts.clock,
    report: parts.report,
    protectedPaths: parts.paths.protected,
    crashPoint: createCrashPoint(environmentVariable('COUNTERSIGN_CRASH_POINT')),
    async modelFor(configuration) {
      const apiKey = openApiKey(() => readApiKey(statements, sealer, configuration), configuration.identifier);
      return createModelClient(
        configuration.settings.model,
        { apiKey },
        { newId: randomUUID, nowMs: parts.clock.nowMs, startTimer },
      );
    },
  };
}

/** How long steps in flight may finish when a host stops. */
export const STOP_GRACE_MS = 10_000;

/** A pool of plain Node processes; the worker stands beside the start that asks. */
export function startNodePool(opened: Console, count: number, callerUrl: string): Supervisor {
  return startPool(opened, count, () => forkNode(siblingEntry(callerUrl, 'worker')));
}

/** The host without a window. */
export interface HeadlessHost {
  address: string;
  stop(): Promise<void>;
}

/** Starts page, queries and workers on an open console, and resolves when all of it answers. */
export async function startHeadlessHost(
  opened: Console,
  options: { port: number; workers: number; callerUrl: string },
): Promise<HeadlessHost> {
  const http = await startHttpHost({
    port: options.port,
    page: loadPage(join(dirname(fileURLToPath(options.callerUrl)), '..', 'renderer')),
    queries: createQueries(opened.runtime, opened.actor),
    report: opened.report,
    newSecret: () => randomBytes(32).toString('hex'),
  });
  const pool = startNodePool(opened, options.workers, options.callerUrl);
  await pool.ready();
  return {
    address: http.address,
    async stop() {
      await http.close();
      await pool.stop(STOP_GRACE_MS);
    },
  };
}

/** A worker in this very process, for the command line; it also takes back the runs of the dead, as a host would. */
export async function startOwnWorker(opened: Console, callerUrl: string): Promise<Worker> {
  const { paths, store, dataKey } = opened.installation;
  const reaper = { store, clock: opened.clock, workersFolder: paths.workers, report: opened.report };
  await sweepDeadWorkers(reaper);
  const worker = startWorker({
    workerId: randomUUID(),
    databasePath: paths.database,
    dataKey,
    transport: 'cli',
    forkToolChild: forkNodeChild(siblingEntry(callerUrl, 'tool-child')),
  });
  const sweeping = setInterval(() => {
    sweepDeadWorkers(reaper).catch((error: unknown) => opened.report(error, 'sweep'));
  }, SWEEP_MS);
  return {
    loop: worker.loop,
    stop() {
      clearInterval(sweeping);
      return worker.stop();
    },
  };
}

const SWEEP_MS = 1_000;

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

/** Rebuilds a lost key file from its recovery code. Faults: `KeyUnavailableError`. */
export function restoreKey(databasePath: string | undefined, code: string): void {
  restoreKeyFile(
    installationPaths(databasePath),
    keyFromRecoveryCode(code),
    environmentVariable('COUNTERSIGN_PASSPHRASE'),
  );
}

/** Builds the sample site in `folder`; returns its configuration for the embedded scripted model. */
export function buildSample(
  callerUrl: string,
  folder: string,
): Pick<ConfigurationSettings, 'model' | 'databases' | 'workspaces'> {
  const resources = resourcesFolder(callerUrl);
  const site = buildSampleSite(join(resources, 'sample-site'), folder);
  return {
    model: { kind: 'scripted', scenarioPath: join(resources, 'scenarios', 'check-meta-description.json') },
    databases: [{ name: 'site', path: site.databasePath }],
    workspaces: [{ name: 'site', path: site.workspacePath }],
  };
}

/** A whole configuration's settings for the sample site, as a new installation would have them. */
export function sampleSettings(callerUrl: string, folder: string): ConfigurationSettings {
  return { ...DEFAULT_SETTINGS, ...buildSample(callerUrl, folder) };
}

/** A key that does not open is a configuration to repair, never a reason to ask without one. */
function openApiKey(read: () => string | null, configuration: string): string | null {
  try {
    return read();
  } catch (cause) {
    // A disk that cannot be read says nothing about the configuration.
    if (!(cause instanceof SealBrokenError)) throw cause;
    throw new ModelError(
      'configuration',
      `The stored model key of ${configuration} cannot be opened: its address or the file was changed. Connect it again with its key.`,
      cause,
    );
  }
}

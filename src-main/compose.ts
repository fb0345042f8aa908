/*
 * The only file that wires parts together. `openConsole` is what a host or the
 * command line works with: file, key, person, runtime. `startPool` adds worker
 * processes, `startWorker` is the inside of one. Nothing here knows Electron: how a
 * process is forked comes in.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Actor } from './domain/actor.ts';
import type { Clock } from './domain/clock.ts';
import type { ToolCatalogue, ToolRunner } from './domain/tool.ts';
import { createModelClient } from './models/model-factory.ts';
import { createRuntime, type Runtime } from './runtime/runtime.ts';
import type { CrashPoint, SegmentPorts } from './runtime/segment.ts';
import { readApiKey } from './store/configuration-store.ts';
import { joinInstallation, openInstallation, type Installation } from './store/installation.ts';
import { holdAliveLock } from './system/alive-lock.ts';
import { startTimer, systemClock } from './system/clock.ts';
import { createFileLog, type Report } from './system/log.ts';
import type { ForkedProcess } from './system/node-fork.ts';
import { currentOsAccount } from './system/os-account.ts';
import { installationPaths, type InstallationPaths } from './system/paths.ts';
import { builtinTools } from './tools/builtin-tools.ts';
import { createProcessToolRunner } from './tools/process-tool-runner.ts';
import { buildRegistry } from './tools/registry.ts';
import { createCrashPoint } from './workers/crash-points.ts';
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
 * Faults: `UnknownAccountError`, `KeyUnavailableError`, `NewerDatabaseError`.
 */
export function openConsole(databasePath?: string): Console {
  const clock = systemClock;
  const account = currentOsAccount();
  const paths = installationPaths(databasePath);
  const installation = openInstallation(paths, {
    passphrase: process.env.COUNTERSIGN_PASSPHRASE ?? null,
    account,
    clock,
  });
  if (!installation.operator) {
    installation.close();
    throw new UnknownAccountError(account.name);
  }
  const actor: Actor = { kind: 'operator', operatorId: installation.operator.id };
  const catalogue = buildRegistry(builtinTools);
  const runtime = createRuntime({ store: installation.store, catalogue, clock, newRunId: randomUUID });
  const report = createFileLog(paths.log, clock.nowMs);
  const crashPoint = createCrashPoint(process.env.COUNTERSIGN_CRASH_POINT);
  return { installation, runtime, catalogue, clock, report, actor, crashPoint, close: () => installation.close() };
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
  forkToolChild(aliveFile: string): ForkedProcess<unknown, unknown>;
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
  const catalogue = buildRegistry(builtinTools);
  const tools = createProcessToolRunner({
    catalogue,
    workersFolder: paths.workers,
    workerId: setting.workerId,
    forkChild: setting.forkToolChild,
    report,
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
    crashPoint: createCrashPoint(process.env.COUNTERSIGN_CRASH_POINT),
    // oxlint-disable-next-line typescript/require-await -- the port is asynchronous; reading a sealed key here is not
    async modelFor(configuration) {
      const apiKey = readApiKey(statements, sealer, configuration.id);
      return createModelClient(
        configuration.settings.model,
        { apiKey },
        { newId: randomUUID, nowMs: parts.clock.nowMs, startTimer },
      );
    },
  };
}

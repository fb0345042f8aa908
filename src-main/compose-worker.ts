/*
 * The inside of a worker: the file, the tools, the models and the loop that carries
 * out runs, in a process of its own or in that of a command. Never part of a host.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ModelTestView } from '../src-shared/views/model-test-view.ts';
import type { Console } from './compose.ts';
import type { Clock } from './domain/clock.ts';
import type { ModelSettings } from './domain/configuration.ts';
import { ModelError } from './domain/model-client.ts';
import type { ToolCatalogue, ToolRunner } from './domain/tool.ts';
import { createModelClient } from './models/model-factory.ts';
import { probeModel } from './models/probe-model.ts';
import { createBreakers } from './runtime/breakers.ts';
import type { SegmentPorts } from './runtime/segment-ports.ts';
import { readApiKey } from './store/configuration-store.ts';
import { joinInstallation, type Installation } from './store/installation.ts';
import { holdAliveLock } from './system/alive-lock.ts';
import { startTimer, systemClock } from './system/clock.ts';
import { siblingEntry } from './system/entry-path.ts';
import { diskFloorMb, logLevel } from './system/environment.ts';
import { createRoomCheck } from './system/free-space.ts';
import { createFileLog, type Report } from './system/log.ts';
import { installationPaths, type InstallationPaths } from './system/paths.ts';
import { SealBrokenError } from './domain/sealed-faults.ts';
import { VERSION } from './system/version.ts';
import { BUILTIN_TOOLS } from './tools/builtin-tools.ts';
import { forkNodeChild, type ForkChild } from './tools/child-channel.ts';
import { ProcessToolRunner } from './tools/process-tool-runner.ts';
import { buildRegistry } from './tools/registry.ts';
import { createCrashPoint } from './workers/crash-points.ts';
import { sweepDeadWorkers } from './workers/reaper.ts';
import { startWorkerLoop, type WorkerLoop } from './workers/worker-loop.ts';

/** How the inside of a worker is told who it is and how it forks its tool children. */
export interface WorkerSetting {
  workerId: string;
  databasePath: string;
  dataKey: Buffer;
  transport: string;
  forkToolChild: ForkChild;
  /** `POINT:FILE`, as the host or command allows it; null = none. */
  crashPoint: string | null;
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
  const report = createFileLog({ path: paths.log, level: logLevel(), nowMs: clock.nowMs });
  const alive = holdAliveLock(join(paths.workers, `${setting.workerId}.alive`));
  const installation = joinInstallation(setting.databasePath, setting.dataKey, clock);
  const { store } = installation;
  report({ note: 'worker starts', version: VERSION, transport: setting.transport }, `worker ${setting.workerId}`);
  if (setting.onCommitted) store.onCommitted(({ wakes }) => setting.onCommitted?.(wakes));
  const catalogue = buildRegistry(BUILTIN_TOOLS);
  const tools = new ProcessToolRunner({
    catalogue,
    aliveDir: paths.workers,
    workerId: setting.workerId,
    forkChild: setting.forkToolChild,
    report: (fault) => report(fault, `tool ${fault.toolName}`),
  });
  const ports = segmentPorts({ installation, paths, clock, report, catalogue, tools, crashPoint: setting.crashPoint });
  const loop = startWorkerLoop({
    ports,
    workerId: setting.workerId,
    pid: process.pid,
    transport: setting.transport,
    newOwnerToken: () => `${setting.transport}:${randomBytes(16).toString('hex')}`,
    hasRoom: createRoomCheck(paths.database, diskFloorMb(), clock.monotonicMs, report),
  });
  return {
    loop,
    async stop() {
      await loop.stop();
      await tools.close();
      store.close();
      report({ note: 'worker stopped' }, `worker ${setting.workerId}`);
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
  crashPoint: string | null;
}): SegmentPorts {
  const { store, statements, sealer } = parts.installation;
  return {
    store,
    tools: parts.tools,
    catalogue: parts.catalogue,
    clock: parts.clock,
    report: parts.report,
    protectedPaths: parts.paths.protected,
    breakers: createBreakers(parts.clock.monotonicMs),
    crashPoint: createCrashPoint(parts.crashPoint),
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

/** A worker in this very process, for the command line; it also takes back the runs of the dead, as a host would. */
export async function startOwnWorker(opened: Console, callerUrl: string): Promise<Worker> {
  const { paths, store, dataKey } = opened.installation;
  const { clock, report, crashPointSetting } = opened;
  const crashPoint = createCrashPoint(crashPointSetting);
  const reaper = { store, clock, workersFolder: paths.workers, report, crashPoint };
  await sweepDeadWorkers(reaper);
  const worker = startWorker({
    workerId: randomUUID(),
    databasePath: paths.database,
    dataKey,
    transport: 'cli',
    forkToolChild: forkNodeChild(siblingEntry(callerUrl, 'tool-child'), crashPointSetting),
    crashPoint: crashPointSetting,
  });
  const sweeping = setInterval(() => {
    sweepDeadWorkers(reaper).catch((error: unknown) => report(error, 'sweep'));
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

/** What every model client is given. */
const MODEL_DEPENDENCIES = { newId: randomUUID, nowMs: systemClock.nowMs, startTimer };

/** Asks a model one question for a host, which never asks itself. Takes no longer than the limit of a probe, and never fails. */
export function probeModelOnce(model: ModelSettings, apiKey: string | null): Promise<ModelTestView> {
  const client = createModelClient(model, { apiKey }, MODEL_DEPENDENCIES);
  return probeModel(client, { startTimer, monotonicMs: systemClock.monotonicMs });
}

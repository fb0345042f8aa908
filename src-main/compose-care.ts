/*
 * What looks after an installation from outside its pool: the reaper by hand, and the
 * doctor. Part of the wiring, beside compose.ts; used by the command line.
 */
import { accepted, type Result } from '../src-shared/refusals.ts';
import type { Console } from './compose.ts';
import { verifyInstallation } from './compose.ts';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { operatorIdOf } from './domain/actor.ts';
import type { JsonObject } from './domain/json-value.ts';
import { diagnose } from './runtime/diagnose.ts';
import { examineInstallation, repairInstallation, type Finding, type Repairs } from './runtime/examine-installation.ts';
import { diskFloorMb, environmentVariable, retentionSettings } from './system/environment.ts';
import { freeMegabytes } from './system/free-space.ts';
import { schemaVersion } from './store/migrate.ts';
import { KeyInUseError, rotateKey, type Rotation, type RotationPoint } from './store/rotate-key.ts';
import { takeNextKey, writeNextKey } from './system/key-file.ts';
import { machineFacts } from './system/machine.ts';
import { newestLines } from './system/rotating-file.ts';
import { purgeLimits, type Purged, type PurgePreview } from './domain/retention-rules.ts';
import { purgeRuns } from './runtime/purge-runs.ts';
import { compareHeads, firstLine, headLines, headListProblems, readHeadList } from './store/kept-heads.ts';
import { installationPublicKey } from './store/signed-heads.ts';
import type { ChainProblem } from './store/chain-problem.ts';
import { isPublicKey } from './system/signing-key.ts';
import { createCrashPoint } from './workers/crash-points.ts';
import {
  expireWaitingRuns,
  hasLivingWorker,
  remindOfWaitingRuns,
  staleClaims,
  sweepDeadWorkers,
  type ReaperPorts,
  type Sweep,
} from './workers/reaper.ts';

const reaperPorts = ({ installation, clock, report, crashPointSetting }: Console): ReaperPorts => ({
  store: installation.store,
  clock,
  workersFolder: installation.paths.workers,
  report,
  crashPoint: createCrashPoint(crashPointSetting),
});

/** Takes back at most `limit` runs of dead workers, ends questions that expired and says which will soon. */
export async function reap(opened: Console, limit: number): Promise<Sweep & { expired: number; reminded: number }> {
  const ports = reaperPorts(opened);
  const swept = await sweepDeadWorkers(ports, limit);
  return { ...swept, expired: await expireWaitingRuns(ports), reminded: await remindOfWaitingRuns(ports) };
}

/** Everything the doctor finds; changes nothing. */
export function examine(opened: Console): Promise<Finding[]> {
  const ports = reaperPorts(opened);
  const { store, paths } = opened.installation;
  return examineInstallation({
    store,
    clock: opened.clock,
    staleClaims: () => staleClaims(ports),
    hasWorker: () => hasLivingWorker(ports),
    chainProblems: () => verifyInstallation(opened).problems,
    freeMegabytes: () => freeMegabytes(paths.database),
    floorMegabytes: diskFloorMb(),
  });
}

/** Repairs what needs no person's judgement; null = the person is no administrator. */
export function repair(opened: Console, findings: Finding[]): Promise<Repairs | null> {
  const sweep = async (): Promise<Pick<Sweep, 'requeued' | 'deadLettered'>> => {
    const { requeued, deadLettered } = await sweepDeadWorkers(reaperPorts(opened));
    return { requeued, deadLettered };
  };
  return repairInstallation({ store: opened.installation.store, clock: opened.clock }, opened.actor, findings, sweep);
}

/** What `diagnostics` writes, with at most `logLines` lines of the log; nothing leaves this machine. */
export function diagnostics(opened: Console, logLines: number, withLabels: boolean): Promise<JsonObject> {
  const { store, statements, paths, keyProtection } = opened.installation;
  const bytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return diagnose(
    {
      store,
      clock: opened.clock,
      findings: () => examine(opened),
      machine: { ...machineFacts(), sqlite: statements.get('select sqlite_version()').pluck().get() as string },
      installation: {
        schemaVersion: schemaVersion(statements.database),
        keyProtection,
        databaseBytes: bytes(paths.database),
        walBytes: bytes(`${paths.database}-wal`),
        logBytes: bytes(paths.log),
        freeMegabytes: freeMegabytes(paths.database),
        floorMegabytes: diskFloorMb(),
      },
      logLines: newestLines(paths.log, logLines),
    },
    withLabels,
  );
}

const DATA_KEY_BYTES = 32;

/**
 * Gives the installation a new data key, protected as the old one was. The new key lies
 * beside the old one before the commit, and takes its place after it: an end in between
 * is put right by the next start, which uses the key that fits the database. The console
 * must not be used any more, it holds the old key.
 * Refuses: not_administrator. Faults: `KeyInUseError`; `ChainBrokenError`.
 */
export function changeDataKey(
  opened: Console,
  reached: (point: RotationPoint) => void,
): Result<Rotation & { newKey: Buffer }> {
  const { installation, clock } = opened;
  const { paths, statements, keyProtection } = installation;
  const newKey = randomBytes(DATA_KEY_BYTES);
  const passphrase = keyProtection === 'passphrase' ? environmentVariable('COUNTERSIGN_PASSPHRASE') : null;
  const rotated = rotateKey(statements, {
    oldKey: installation.dataKey,
    newKey,
    operatorId: operatorIdOf(opened.actor),
    nowMs: clock.nowMs(),
    proveUnused() {
      if (hasLivingWorker({ workersFolder: paths.workers })) throw new KeyInUseError();
    },
    keepNewKey: () => writeNextKey(paths.key, newKey, passphrase),
    reached,
  });
  if (!rotated.ok) return rotated;
  reached('committed');
  takeNextKey(paths.key);
  // What the old key opens lies in the log of the database until it is taken over.
  statements.database.pragma('wal_checkpoint(truncate)');
  reached('switched');
  return accepted({ ...rotated.value, newKey });
}

/** A list of signed heads that somebody keeps elsewhere, compared with the file. */
export interface KeptHeads {
  /** Heads in the list. */
  compared: number;
  problems: ChainProblem[];
  /** What the file has and the list has not yet; to be added to it when there are no problems. */
  newLines: string[];
}

/** Compares a kept list with the file; an empty text is a list to begin. Null = the text is no list of heads. */
export function compareKeptHeads({ installation }: Console, text: string): KeptHeads | null {
  const { statements } = installation;
  const ownKey = installationPublicKey(statements);
  if (text === '')
    return { compared: 0, problems: [], newLines: ownKey ? [firstLine(ownKey), ...headLines(statements, 0)] : [] };
  const list = readHeadList(text);
  if (!list) return null;
  const isOurs = list.publicKey === ownKey;
  const problems = isOurs
    ? [...headListProblems(list, list.publicKey), ...compareHeads(statements, list)]
    : [{ where: 'list', problem: 'it was begun for another installation, or with another signing key' }];
  return { compared: list.heads.length, problems, newLines: headLines(statements, list.heads.at(-1)?.number ?? 0) };
}

/** Checks a kept list against a public key alone, without any database. Null = the text or the key is none. */
export function checkHeadList(text: string, publicKey: string): { heads: number; problems: ChainProblem[] } | null {
  const list = readHeadList(text);
  if (!list || !isPublicKey(publicKey)) return null;
  return { heads: list.heads.length, problems: headListProblems(list, publicKey) };
}

/** What a purge takes: the runs of `askedDays`, or of the windows that are set (null); at most so many, or all of them (null). */
export interface PurgeOrder {
  askedDays: number | null;
  most: number | null;
}

const limitsOf = ({ clock }: Console, askedDays: number | null) =>
  purgeLimits(askedDays, retentionSettings(), clock.nowMs());

/** What a purge would take away now; changes nothing. */
export const previewPurge = (opened: Console, { askedDays, most }: PurgeOrder): Promise<PurgePreview> =>
  opened.installation.store.previewPurge(limitsOf(opened, askedDays), most, opened.clock.nowMs());

/**
 * Ends questions that nobody answered in time, each with its event, then takes away what ended long enough ago.
 * Refuses: not_administrator, store_busy.
 */
export async function purge(
  opened: Console,
  { askedDays, most }: PurgeOrder,
): Promise<Result<Purged & { expired: number }>> {
  const { actor, clock, installation } = opened;
  const expired = await expireWaitingRuns(reaperPorts(opened));
  const purged = await purgeRuns(
    { store: installation.store, clock },
    { actor, limits: limitsOf(opened, askedDays), most },
  );
  return purged.ok ? accepted({ ...purged.value, expired }) : purged;
}

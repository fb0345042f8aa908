import type { Clock } from '../domain/clock.ts';
import { judgeEpoch, type Epoch, type InstanceMark } from '../domain/epoch-rules.ts';
import { inodeOf, newInstanceId, readIfThere, replaceFile } from '../system/instance-file.ts';
import type { InstallationPaths } from '../system/paths.ts';
import type { Sealer } from '../system/seal.ts';
import { ChainBrokenError, proveHead, signHead } from './change-log.ts';
import { patiently } from './connection.ts';
import { appendInstallationEvent } from './installation-log.ts';
import { readMeta, setMeta } from './meta-store.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

type Places = Pick<InstallationPaths, 'database' | 'instance'>;

const INSTANCE_ID = 'instance_id';

/**
 * Notices that the database is not the one that was written last at this place, and begins a new epoch: from then on
 * every run that lives in it is held (`store/restored.ts`). A file whose record does not hold is left as it is: nothing
 * can move in it anyway, and `verify` must be able to say why.
 */
export function noticeCopy(statements: Statements, sealer: Sealer, places: Places, clock: Pick<Clock, 'nowMs'>): void {
  if (look(statements, places) === 'same') return;
  try {
    patiently(statements.database, () =>
      statements.database.transaction(() => beginEpoch(statements, sealer, places, clock.nowMs())).immediate(),
    );
  } catch (error) {
    if (!(error instanceof ChainBrokenError)) throw error;
  }
}

function beginEpoch(statements: Statements, sealer: Sealer, places: Places, nowMs: number): void {
  // Another process may have begun it while this one waited for the lock.
  const epoch = look(statements, places);
  if (epoch === 'same') return;
  const mac = (text: string): string => sealer.mac(text);
  const instanceId = newInstanceId();
  setMeta(statements, INSTANCE_ID, instanceId);
  if (epoch !== 'first') {
    proveHead(statements, mac);
    appendInstallationEvent(statements, 'restored', { cause: epoch }, nowMs);
    signHead(statements, mac);
  }
  // Before the commit: whoever dies in between leaves a mark that fits nothing, and the next start begins the epoch.
  writeMark(statements, places, instanceId);
}

function look(statements: Statements, places: Places): Epoch {
  const mark = readMark(places.instance);
  const file = {
    instanceId: readMeta(statements, INSTANCE_ID),
    inode: inodeOf(places.database),
    hashAtMark: mark && hashOf(statements, mark.seq),
    isEmpty: lastChange(statements) === undefined,
  };
  return judgeEpoch(file, mark);
}

/** Keeps beside the database how far it had come, so that an older copy in its place is noticed. Best effort of the caller. */
export function rememberEnd(statements: Statements, places: Places): void {
  const mark = readMark(places.instance);
  const instanceId = readMeta(statements, INSTANCE_ID);
  // A mark of another instance is for the next start to judge.
  if (mark === null || mark.instanceId !== instanceId) return;
  if ((lastChange(statements)?.seq ?? 0) > mark.seq) writeMark(statements, places, instanceId);
}

const lastChange = (statements: Statements): { seq: number; hash: string } | undefined =>
  statements.get('select seq, hash from changes order by seq desc limit 1').get() as
    { seq: number; hash: string } | undefined;

const hashOf = (statements: Statements, seq: number): string | null =>
  (statements.get('select hash from changes where seq = ?').pluck().get(seq) as string | undefined) ?? null;

function writeMark(statements: Statements, places: Places, instanceId: string): void {
  const { seq, hash } = lastChange(statements) ?? { seq: 0, hash: '' };
  const mark: InstanceMark = { instanceId, inode: inodeOf(places.database), seq, hash };
  replaceFile(places.instance, `${JSON.stringify({ v: 1, ...mark })}\n`);
}

/** A mark that cannot be read is none. */
function readMark(path: string): InstanceMark | null {
  const { v, instanceId, inode, seq, hash } = (parseStored(readIfThere(path) ?? '') ?? {}) as Record<string, unknown>;
  const isMark =
    v === 1 &&
    typeof instanceId === 'string' &&
    typeof inode === 'string' &&
    typeof seq === 'number' &&
    typeof hash === 'string';
  return isMark ? { instanceId, inode, seq, hash } : null;
}

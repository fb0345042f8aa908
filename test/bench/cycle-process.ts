/*
 * A process of the life-cycle bench: `cycle-process.ts <product|bare> <database> <key> <configuration>`. Says `ready`; each
 * order is a round, answered with what it came to; ends when its channel closes.
 */
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { say } from '../support/child.ts';
import { bareCycles } from './bare-cycles.ts';
import { watchLockWaits } from './lock-waits.ts';
import { ownUsage, usedBetween, type Usage } from './process-usage.ts';
import { productCycles, type RoundLimit } from './product-cycles.ts';
import { recordChanges } from './recorded-cycle.ts';

/** What one process is told to do for one round. */
export interface RoundOrder extends RoundLimit {
  lanes: number;
}

/** What one process did in one round. */
export interface RoundReport {
  elapsedMs: number;
  cycleMs: number[];
  usage: Usage;
  longestLockWaitMs: number;
}

const [kind = '', path = '', key = '', configurationId = ''] = process.argv.slice(2);
const database = openConnection(path);
const store = createSqliteRunStore(database, createSealer(Buffer.from(key, 'hex')), systemClock);
const product = productCycles(store, configurationId);
// Bare statements run on a connection of their own, past the guards that the store puts on its own.
const writing = kind === 'bare' ? openConnection(path) : database;
const waits = watchLockWaits(writing);
const once = { ms: Number.POSITIVE_INFINITY, cycles: 1 };
const bare = kind === 'bare' ? bareCycles(writing, await recordChanges(database, () => product.round(1, once))) : null;

process.on('message', (text: string) => void carryOut(JSON.parse(text) as RoundOrder));
process.on('disconnect', () => {
  if (writing !== database) writing.close();
  store.close();
});
say('ready');

async function carryOut(order: RoundOrder): Promise<void> {
  waits.takeLongest();
  const before = ownUsage();
  const startedMs = performance.now();
  const cycleMs = await (bare ? bare.round(order) : product.round(order.lanes, order));
  const elapsedMs = performance.now() - startedMs;
  const usage = usedBetween(before, ownUsage());
  say({ elapsedMs, cycleMs, usage, longestLockWaitMs: waits.takeLongest() } satisfies RoundReport);
}

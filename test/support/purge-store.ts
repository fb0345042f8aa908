/** Purges everything that has ended: `purge-store.ts <path> <key> <nowMs>`; says how long it took. */
import { purgeLimits } from '../../src-main/domain/retention-rules.ts';
import { purgeRuns } from '../../src-main/runtime/purge-runs.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { finish, hear, say } from './child.ts';
import { OPERATOR } from './store.ts';

const [path = '', key = '', nowMs = '0'] = process.argv.slice(2);
const store = createSqliteRunStore(openConnection(path), createSealer(Buffer.from(key, 'hex')), systemClock);
const limits = purgeLimits(1, { all: null, ended: null, uncertain: null }, Number(nowMs));
const told = hear('go');
say('ready');
await told;
const startedMs = performance.now();
const purged = await purgeRuns({ store, clock: systemClock }, { actor: OPERATOR, limits, most: null });
say({ purged, seconds: (performance.now() - startedMs) / 1_000 });
store.close();
finish();

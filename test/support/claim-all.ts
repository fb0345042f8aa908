/** Claims runs until none is left: `claim-all.ts <path> <key> <worker>`. */
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { finish, hear, say } from './child.ts';

const [path = '', key = '', workerId = ''] = process.argv.slice(2);
const store = createSqliteRunStore(openConnection(path), createSealer(Buffer.from(key, 'hex')), systemClock);
const told = hear('go');
say('ready');
await told;
const claimed: string[] = [];
for (let number = 0; ; number += 1) {
  const result = await store.claim({ workerId, ownerToken: `${workerId}-${number}`, nowMs: 5_000, isIdle: true });
  if (!result.ok) throw new Error(`Refused with ${result.refusal.kind}.`);
  if (!result.value) break;
  claimed.push(result.value.id);
}
store.close();
say(claimed);
finish();

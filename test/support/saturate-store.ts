/** Opens, claims and ends runs as fast as it can for a while: `saturate-store.ts <path> <key> <configuration> <worker> <ms>`. */
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { finish, hear, say } from './child.ts';
import { enqueueInput } from './store.ts';

const [path = '', key = '', configurationId = '', workerId = '', ms = '0'] = process.argv.slice(2);
const store = createSqliteRunStore(openConnection(path), createSealer(Buffer.from(key, 'hex')), systemClock);
const told = hear('go');
say('ready');
await told;

const claims: string[] = [];
let commits = 0;
let longestMs = 0;
const refusals: string[] = [];

/** One write after the other, so each is a transaction of its own. */
async function timed<T extends { ok: boolean }>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  longestMs = Math.max(longestMs, performance.now() - startedMs);
  if (result.ok) commits += 1;
  return result;
}

const endMs = performance.now() + Number(ms);
for (let number = 0; performance.now() < endMs; number += 1) {
  const input = enqueueInput(configurationId);
  const opened = await timed(() => store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 }));
  const ownerToken = `${workerId}-${number}`;
  const claim = await timed(() => store.claim({ workerId, ownerToken, nowMs: 5_000, isIdle: true }));
  if (!opened.ok) refusals.push(opened.refusal.kind);
  if (!claim.ok) refusals.push(claim.refusal.kind);
  if (!claim.ok || !claim.value) continue;
  const { id, attempt } = claim.value;
  claims.push(`${id}#${attempt}`);
  const ended = await timed(() =>
    store.transition(id, {
      kind: 'complete',
      input: { ownerToken, attempt, reason: 'completed', answer: 'done' },
      nowMs: 6_000,
    }),
  );
  if (!ended.ok) refusals.push(ended.refusal.kind);
}
store.close();
say({ commits, claims, longestMs, refusals });
finish();

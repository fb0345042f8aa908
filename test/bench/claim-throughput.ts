import { startChild } from '../support/child.ts';
import { enqueueInput, openStoreFixture } from '../support/store.ts';
import { rounded } from './figures.ts';

const QUEUED = 2_000;
/** So many runs are enqueued in the commits of one moment. */
const TOGETHER = 200;

/**
 * Claims a second on a full queue, one after the other in each process.
 * Faults: when a run was claimed twice or not at all.
 */
export async function measureClaims(processes: number): Promise<Record<string, unknown>> {
  const fixture = openStoreFixture();
  try {
    await fill(fixture);
    const words = [fixture.path, fixture.dataKey.toString('hex')];
    const children = Array.from({ length: processes }, (_, index) => startChild('claim-all.ts', ...words, `w${index}`));
    await Promise.all(children.map((child) => child.message<string>()));
    const startedMs = performance.now();
    const claimed = await Promise.all(
      children.map((child) => {
        const answer = child.message<string[]>();
        child.send('go');
        return answer;
      }),
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    await Promise.all(children.map((child) => child.ended));
    const ids = claimed.flat();
    if (ids.length !== QUEUED || new Set(ids).size !== QUEUED)
      throw new Error('A run was claimed twice or not at all.');
    const counts = claimed.map(({ length }) => length);
    return {
      claimsPerSecond: rounded(QUEUED / seconds),
      ...(processes > 1 ? { fairness: rounded(Math.min(...counts) / Math.max(...counts)) } : {}),
    };
  } finally {
    fixture.dispose();
  }
}

async function fill({ store, configuration }: ReturnType<typeof openStoreFixture>): Promise<void> {
  for (let done = 0; done < QUEUED; done += TOGETHER) {
    const queued = await Promise.all(
      Array.from({ length: TOGETHER }, () => {
        const input = enqueueInput(configuration.id);
        return store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 });
      }),
    );
    if (queued.some(({ ok }) => !ok)) throw new Error('A run was refused.');
  }
}

import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { startChild } from '../support/child.ts';
import { enqueueInput, openStoreFixture, type StoreFixture } from '../support/store.ts';

const RUNS = 400;
const PROCESSES = 4;

let fixture: StoreFixture;
beforeEach(() => {
  fixture = openStoreFixture();
});
afterEach(() => fixture.dispose());

it('T-35 gives each of 400 runs to exactly one of 4 processes', async () => {
  await Promise.all(
    Array.from({ length: RUNS }, () => {
      const input = enqueueInput(fixture.configuration.id);
      return fixture.store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 });
    }),
  );
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    startChild('claim-all.ts', fixture.path, fixture.dataKey.toString('hex'), `w${index}`),
  );
  try {
    for (const child of children) expect(await child.message()).toBe('ready');
    for (const child of children) child.send('go');
    const shares = await Promise.all(children.map((child) => child.message<string[]>()));
    const claimed = shares.flat();
    console.log(`claims per process: ${shares.map((share) => share.length).join(', ')}`);
    expect(claimed).toHaveLength(RUNS);
    expect(new Set(claimed).size).toBe(RUNS);
    expect(shares.filter((share) => share.length > 0).length).toBeGreaterThan(1);
    expect(await Promise.all(children.map((child) => child.ended))).toEqual([0, 0, 0, 0]);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
  const attempts = fixture.database.prepare(`select count(*) from run_events where kind = 'attempt'`).pluck().get();
  expect(attempts).toBe(RUNS);
  expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
});

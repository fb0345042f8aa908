import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { enqueueInput, openStoreFixture, type StoreFixture } from '../support/store.ts';

describe('the run store', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = openStoreFixture();
  });
  afterEach(() => fixture.dispose());

  it('R-27 gives a queued run to exactly one of many claimers and empties the queue', async () => {
    const input = enqueueInput(fixture.configuration.id);
    await fixture.store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 });
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fixture.store.claim({ workerId: `w${index}`, ownerToken: `token-${index}`, nowMs: 2_000, isIdle: true }),
      ),
    );
    const won = claims.flatMap((claim) => (claim.ok && claim.value ? [claim.value] : []));
    expect(won).toHaveLength(1);
    expect(won[0]).toMatchObject({ status: 'running', attempt: 1, startedAtMs: 2_000 });
    const report = verifyChain(fixture.statements, (text) => fixture.sealer.mac(text));
    expect(report).toMatchObject({ runs: 1, events: 2, changes: 2, problems: [] });
  });
});

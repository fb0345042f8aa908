import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransitionRequest } from '../../src-main/store/run-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => {
  const { problems } = verifyChain(fixture.statements, fixture.sealer);
  fixture.dispose();
  expect(problems).toEqual([]);
});

const NOW = 10_000;
const kindsOf = async (runId: string): Promise<string[]> =>
  (await fixture.store.events(runId, 0)).map(({ kind }) => kind);

/** A run that is held, its next step, and its end. */
async function held() {
  await lives.enqueue();
  const run = await lives.claim();
  const step: TransitionRequest<'record_step'> = { kind: 'record_step', input: lives.step(run), nowMs: NOW };
  const input = { ...lives.held(run), reason: 'completed' as const, answer: 'done' };
  const end: TransitionRequest<'complete'> = { kind: 'complete', input, nowMs: NOW };
  return { run, step, end };
}

describe('two moves in one transaction', () => {
  it('are stored by one commit, in order', async () => {
    const { run, step, end } = await held();
    let commits = 0;
    const execute = fixture.database.exec.bind(fixture.database);
    fixture.database.exec = (sql) => {
      if (sql === 'commit') commits += 1;
      return execute(sql);
    };
    const result = await fixture.store.transitionPair(run.id, step, end);
    expect(result).toMatchObject({ ok: true, value: { status: 'completed' } });
    expect(commits).toBe(1);
    expect(await kindsOf(run.id)).toEqual(['attempt', 'llm', 'finished']);
  });

  it('R-40 keep the first when the second is refused: what happened on a cancelled run is stored', async () => {
    const { run, step, end } = await held();
    await lives.go(run.id, 'cancel', { actor: OPERATOR });
    const result = await fixture.store.transitionPair(run.id, step, end);
    expect(result).toMatchObject({ ok: false, refusal: { kind: 'run_cancelled' } });
    expect((await kindsOf(run.id)).at(-1)).toBe('llm');
  });

  it('store nothing when the first is refused', async () => {
    const { run, step, end } = await held();
    const stranger = { ...step, input: { ...step.input, ownerToken: 'stranger' } };
    const result = await fixture.store.transitionPair(run.id, stranger, end);
    expect(result).toMatchObject({ ok: false, refusal: { kind: 'lease_lost' } });
    expect(await fixture.store.run(run.id)).toEqual(run);
  });

  it('store nothing when the second is a fault', async () => {
    const { run, step } = await held();
    const broken = { kind: 'llm' as const, round: 1, durationMs: 1, payload: { tokens: Number.NaN } };
    const second = { ...step, input: { ...step.input, events: [broken] } };
    await expect(fixture.store.transitionPair(run.id, step, second)).rejects.toThrow('not finite');
    expect(await fixture.store.run(run.id)).toEqual(run);
  });
});

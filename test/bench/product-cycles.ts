import { randomBytes, randomUUID } from 'node:crypto';
import type { RunRecord } from '../../src-main/domain/run.ts';
import { executeSegment } from '../../src-main/runtime/execute-segment.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { OPERATOR } from '../support/store.ts';
import { instantPorts } from './instant-ports.ts';

/** When a round ends: after a time, or after a number of cycles. */
export interface RoundLimit {
  ms: number;
  cycles: number;
}

/** Whole cycles of the product: enqueue, suspend, approve, complete. */
export interface ProductCycles {
  /** Carries runs out on so many lanes at once; returns how long each cycle took, in milliseconds. */
  round(lanes: number, limit: RoundLimit): Promise<number[]>;
}

/**
 * Runs cycles with the real runtime on a store that other processes may share. A lane adds one due run, by enqueueing or
 * by approving, then claims one, its own or another's: so there is always a run for every lane that claims.
 */
export function productCycles(store: RunStore, configurationId: string): ProductCycles {
  const { ports, world } = instantPorts(store);
  const runtime = new Runtime({ ...ports, store, clock: systemClock, newRunId: randomUUID });
  const never = new AbortController().signal;
  const workerId = randomUUID();

  /** The label carries the start on a clock that all processes of the machine share. */
  async function enqueue(): Promise<void> {
    const label = String(process.hrtime.bigint());
    const prompt = 'Check the title of the page about our opening hours';
    const wanted = { configurationId, label, prompt, maxRounds: null, allowedToolNames: null };
    const queued = await runtime.enqueue(OPERATOR, wanted);
    if (!queued.ok) throw new Error(`A run was refused: ${queued.refusal.kind}`);
  }

  async function claim(): Promise<RunRecord> {
    for (;;) {
      const ownerToken = `bench:${randomBytes(16).toString('hex')}`;
      const nowMs = systemClock.nowMs();
      const tools = ports.catalogue.list();
      const claimed = await store.claim({ workerId, ownerToken, nowMs, isIdle: false, tools });
      if (!claimed.ok) throw new Error(`A claim was refused: ${claimed.refusal.kind}`);
      if (claimed.value) return claimed.value;
      // Another lane took ours and left one that was queued within this millisecond.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function approve(runId: string): Promise<void> {
    const card = await runtime.pendingDecision(OPERATOR, runId);
    if (!card) throw new Error('A waiting run has no card.');
    const decided = await runtime.approve(OPERATOR, runId, card);
    if (!decided.ok) throw new Error(`An approval was refused: ${decided.refusal.kind}`);
  }

  return {
    async round(lanes, limit) {
      const cycleMs: number[] = [];
      const endMs = performance.now() + limit.ms;
      let started = 0;
      const lane = async (): Promise<void> => {
        while (performance.now() < endMs && started < limit.cycles) {
          started += 1;
          await enqueue();
          for (;;) {
            const run = await claim();
            const outcome = await executeSegment(ports, run, never);
            if (outcome === 'completed') {
              cycleMs.push(Number(process.hrtime.bigint() - BigInt(run.label)) / 1e6);
              forget(world, run.id);
              break;
            }
            if (outcome !== 'awaiting_approval') throw new Error(`A segment ended with ${outcome}.`);
            await approve(run.id);
          }
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return cycleMs;
    },
  };
}

/** The world keeps everything that happened in it for tests to look at; a bench would only grow. */
function forget(world: ReturnType<typeof instantPorts>['world'], runId: string): void {
  world.values.delete(runId);
  world.executed.length = 0;
  world.planned.length = 0;
}

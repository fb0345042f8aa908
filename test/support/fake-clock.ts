import type { Clock } from '../../src-main/domain/clock.ts';

/** A clock that stands still until a test moves it. Wall and monotonic time move together. */
export interface FakeClock extends Clock {
  /** Moves time on, ending every pause on the way in the order of its end, and lets what waited for it work. */
  advance(ms: number): Promise<void>;
  /** How many pauses have not ended: a test that is done has none. */
  openPauses(): number;
}

interface Pause {
  dueMs: number;
  end(): void;
}

const START_MS = 1_700_000_000_000;

export function createFakeClock(): FakeClock {
  let elapsedMs = 0;
  const pauses = new Set<Pause>();
  const nextDue = (untilMs: number): Pause | undefined =>
    [...pauses].filter((pause) => pause.dueMs <= untilMs).toSorted((left, right) => left.dueMs - right.dueMs)[0];
  return {
    nowMs: () => START_MS + elapsedMs,
    monotonicMs: () => elapsedMs,
    random: () => 0.5,
    pause(ms, signal) {
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          pauses.delete(pause);
          reject(signal?.reason as Error);
        };
        const pause: Pause = {
          dueMs: elapsedMs + ms,
          end() {
            pauses.delete(pause);
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        if (signal?.aborted) return stop();
        signal?.addEventListener('abort', stop, { once: true });
        pauses.add(pause);
      });
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let pause = nextDue(untilMs); pause; pause = nextDue(untilMs)) {
        elapsedMs = Math.max(elapsedMs, pause.dueMs);
        pause.end();
        await settle();
      }
      elapsedMs = untilMs;
      await settle();
    },
    openPauses: () => pauses.size,
  };
}

/** Lets everything that is ready run: a commit of the store takes two turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits, without time passing, until something holds. Faults: when it does not come to hold. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  for (let turn = 0; turn < 5_000; turn += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`Waited in vain for ${what}.`);
}

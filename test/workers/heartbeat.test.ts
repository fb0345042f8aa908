import { describe, expect, it } from 'vitest';
import { accepted, refused } from '../../src-shared/refusals.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import { Heartbeat } from '../../src-main/workers/heartbeat.ts';
import { createFakeClock } from '../support/fake-clock.ts';

type Write = RunStore['forgetWorker'];

function heartbeatOn(write: Write) {
  const clock = createFakeClock();
  const written: string[] = [];
  const reports: { error: unknown; where: string }[] = [];
  const heartbeat = new Heartbeat({
    store: {
      touchWorker: ({ id }) => (written.push(`touch ${id}`), write(id)),
      forgetWorker: (id) => (written.push(`forget ${id}`), write(id)),
    },
    clock,
    worker: { id: 'w1', pid: 1, transport: 'test' },
    report: (error, where) => reports.push({ error, where }),
  });
  return { heartbeat, clock, written, reports };
}

const works: Write = () => Promise.resolve(accepted(null));
const broken: Write = () => Promise.reject(new TypeError('unable to open /home/joe/countersign.db'));
const busy: Write = () => Promise.resolve(refused({ kind: 'store_busy', waitedMs: 5_000 }));

describe('a heartbeat', () => {
  it.each([works, broken, busy])(
    'is tried at most once in 30 s, also when it fails, and never throws',
    async (write) => {
      const { heartbeat, clock, written } = heartbeatOn(write);
      await heartbeat.beat();
      await clock.advance(29_999);
      await heartbeat.beat();
      expect(written).toEqual(['touch w1']);
      await clock.advance(1);
      await heartbeat.beat();
      expect(written).toEqual(['touch w1', 'touch w1']);
    },
  );

  it.each([
    [broken, 'TypeError'],
    [busy, 'store_busy'],
  ])('says only what was tried and the class of its error', async (write, errorClass) => {
    const { heartbeat, reports } = heartbeatOn(write);
    await heartbeat.beat();
    await heartbeat.end();
    expect(reports).toEqual(
      ['touch', 'forget'].map((operation) => ({
        error: { warning: 'heartbeat not stored', operation, errorClass },
        where: 'worker w1',
      })),
    );
  });
});

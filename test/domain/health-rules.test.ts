import { describe, expect, it } from 'vitest';
import { HEALTH_DEFAULTS, isHealthy } from '../../src-main/domain/health-rules.ts';

const WELL = { expiredLeases: 0, unknownQueueWait: 0, oldestQueueWaitSeconds: 300, liveWorkers: 1 };

describe('the health of an installation', () => {
  it('R-212 is good with the oldest wait at its limit, and with an empty queue', () => {
    expect(isHealthy(WELL, HEALTH_DEFAULTS)).toBe(true);
    expect(isHealthy({ ...WELL, oldestQueueWaitSeconds: null }, HEALTH_DEFAULTS)).toBe(true);
    expect(isHealthy({ ...WELL, oldestQueueWaitSeconds: 0 }, { ...HEALTH_DEFAULTS, maxWaitSeconds: 0 })).toBe(true);
  });

  it.each([{ expiredLeases: 1 }, { unknownQueueWait: 1 }, { oldestQueueWaitSeconds: 301 }, { liveWorkers: 0 }])(
    'R-212 is bad with %j alone',
    (violation) => {
      expect(isHealthy({ ...WELL, ...violation }, HEALTH_DEFAULTS)).toBe(false);
    },
  );

  it('R-212 needs no worker where none is asked for', () => {
    expect(isHealthy({ ...WELL, liveWorkers: 0 }, { ...HEALTH_DEFAULTS, minWorkers: 0 })).toBe(true);
  });
});

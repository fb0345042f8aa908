import { afterEach, describe, expect, it, vi } from 'vitest';
import { childEnvironment } from '../../src-main/system/node-fork.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the environment of a child', () => {
  it.each(['COUNTERSIGN_PASSPHRASE', 'COUNTERSIGN_OPERATOR_PASSPHRASE', 'COUNTERSIGN_NEW_PASSPHRASE'])(
    'does not hold %s: a worker and a tool know no passphrase',
    (name) => {
      vi.stubEnv(name, 'open sesame');
      vi.stubEnv('COUNTERSIGN_LOG_LEVEL', 'debug');
      expect(childEnvironment()).not.toHaveProperty(name);
      expect(childEnvironment()).toMatchObject({ COUNTERSIGN_LOG_LEVEL: 'debug', PATH: process.env.PATH });
    },
  );
});

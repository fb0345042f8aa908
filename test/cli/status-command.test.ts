import { describe, expect, it } from 'vitest';
import { UsageError, type Invocation } from '../../src-main/cli/command.ts';
import { status } from '../../src-main/cli/status-command.ts';

/** A call that must not get as far as the file. */
function callWith(options: Invocation['options']): () => Promise<number> {
  const unopenable = (): never => {
    throw new Error('it was opened');
  };
  return async () => status.run({ options, positionals: [], isJson: true, open: unopenable } as unknown as Invocation);
}

describe('the options of status', () => {
  it.each([
    ['max-wait', ['-1', '+1', '1.5', '1e3', 'x', '', ' 1', '9999999999999999', '1000000001']],
    ['min-workers', ['-1', '0.5', '0x1', '', '9999999999999999']],
    ['max-age', ['0', '-1', '1.0', '', '9999999999999999']],
    ['transport', ['', 'a b', 'ü', 'a/b', 'x'.repeat(65), 'a\n']],
  ])('R-212 open nothing when --%s is malformed', async (option, values) => {
    for (const value of values) {
      await expect(callWith({ [option]: value }), JSON.stringify(value)).rejects.toThrow(UsageError);
    }
  });

  it.each([
    { 'max-wait': '0' },
    { 'min-workers': '0' },
    { 'max-age': '1' },
    { transport: 'A_b.c-9' },
    { transport: 'x'.repeat(64) },
    { counts: true, since: '2026-01-31' },
  ])('R-212 let %j through to the file', async (options) => {
    await expect(callWith(options)).rejects.toThrow('it was opened');
  });

  it.each([{ since: '2026-01-31' }, { counts: true, since: 'monday' }, { counts: true, since: '12' }])(
    'R-216 open nothing for %j',
    async (options) => {
      await expect(callWith(options)).rejects.toThrow(UsageError);
    },
  );
});

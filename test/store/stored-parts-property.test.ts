import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src-main/domain/run.ts';
import { enqueueInput, openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
beforeEach(() => {
  fixture = openStoreFixture();
});
afterEach(() => fixture.dispose());

const text = fc.string({ unit: 'grapheme' });
const prompt = text.filter((value) => value.trim() !== '');
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const message: fc.Arbitrary<RunRequest['messages'][number]> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: prompt }),
  fc.record({ role: fc.constant('assistant' as const), content: text }),
);
const request: fc.Arbitrary<RunRequest> = fc.record({
  v: fc.constant(1 as const),
  messages: fc
    .tuple(fc.array(message), prompt)
    .map(([before, content]) => [...before, { role: 'user' as const, content }]),
  allowedToolNames: nullable(fc.array(text)),
  temperature: nullable(fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0)),
  maxOutputTokens: nullable(fc.integer({ min: 1, max: 1_000_000 })),
});

describe('a stored request', () => {
  it('R-184 and T-27 comes back field for field, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (wanted) => {
        const input = enqueueInput(fixture.configuration.id, { request: wanted });
        expect(await fixture.store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 })).toMatchObject({
          ok: true,
        });
        expect(await fixture.store.request(input.id)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});

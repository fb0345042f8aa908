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

/** Any JSON a tool or a model may name: with members called `__proto__` and numbers of every size. */
const json = fc.dictionary(
  fc.oneof(text, fc.constant('__proto__')),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
);

describe('a stored turn that asks', () => {
  it('R-188 comes back with its tools, schemas and previews, whatever they hold', () => {
    const calls = fc.array(fc.record({ id: text, name: text, arguments: json }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(calls, json, fc.integer({ min: 0, max: 20 }), (asked, schema, round) => {
        const turn = {
          v: 1,
          round,
          calls: asked,
          previews: asked.map(({ id, name }) => ({
            callId: id,
            toolName: name,
            preview: { kind: 'text', text: name },
          })),
          questions: asked.map(({ id, name }) => ({ callId: id, toolName: name, schema })),
          staleCallIds: [],
        };
        const sealed = fixture.sealer.seal('pending_turns.sealed/x/1', turn);
        expect(JSON.stringify(fixture.sealer.open('pending_turns.sealed/x/1', sealed))).toBe(JSON.stringify(turn));
      }),
      { numRuns: 60 },
    );
  });
});

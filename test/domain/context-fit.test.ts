import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrated, fitContext, FIRST_CALIBRATION, type ContextRoom } from '../../src-main/domain/context-fit.ts';
import type { Message } from '../../src-main/domain/message.ts';
import { danglingCalls } from '../support/transcripts.ts';

const head: Message[] = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Look after it.' },
];
const turn = (number: number, bytes: number): Message[] => [
  { role: 'assistant', content: '', toolCalls: [{ id: `c${number}`, name: 'read_x', arguments: {} }] },
  { role: 'tool', callId: `c${number}`, toolName: 'read_x', content: 'x'.repeat(bytes), isError: false },
];
const room = (changes: Partial<ContextRoom> = {}): ContextRoom => ({
  window: 8_192,
  maxOutputTokens: null,
  calibration: FIRST_CALIBRATION,
  ...changes,
});

describe('fitting a transcript into the room of a model', () => {
  it('R-166 leaves one alone that fits', () => {
    const messages = [...head, ...turn(1, 100)];
    const fitted = fitContext(messages, [], room());
    expect(fitted).toMatchObject({ messages, fits: true, breakdown: { measured: true, droppedMessages: 0 } });
  });

  it('R-166 takes out whole oldest turns and keeps head, newest turn and every pair', () => {
    const messages = [...head, ...turn(1, 9_000), ...turn(2, 9_000), ...turn(3, 2_000)];
    const { messages: sent, fits, breakdown } = fitContext(messages, [], room());
    expect(sent).toEqual([...head, ...turn(2, 9_000), ...turn(3, 2_000)]);
    expect(fits).toBe(true);
    expect(breakdown.droppedMessages).toBe(2);
    expect(danglingCalls(sent)).toEqual([]);
  });

  it('R-167 says when not even the newest turn fits', () => {
    const { fits, breakdown } = fitContext([...head, ...turn(1, 100), ...turn(2, 50_000)], [], room());
    expect(fits).toBe(false);
    expect(breakdown.remaining).toBeLessThan(0);
  });

  it.each([
    ['an unknown window', room({ window: null }), { window: 8_192, reserve: 1_000, safety: 246, budget: 6_946 }],
    ['an impossible window', room({ window: 0 }), { window: 8_192, reserve: 1_000, safety: 246, budget: 6_946 }],
    ['a large one', room({ window: 200_000 }), { reserve: 4_000, safety: 6_000, budget: 190_000 }],
    ['a wanted length of the answer', room({ maxOutputTokens: 2_500 }), { reserve: 2_500, budget: 5_446 }],
  ] as const)('R-168 R-170 measures by %s', (_, given, expected) => {
    expect(fitContext(head, [], given).breakdown).toMatchObject(expected);
  });

  it.each([
    ['a budget that is not positive', head, room({ window: 1_000 })],
    ['a model that reads no tokens', head, room({ window: 'unlimited' })],
    ['a result without its call', [...head, turn(1, 10)[1] as Message], room()],
    ['a call without its result', [...head, turn(1, 10)[0] as Message, ...turn(2, 90_000)], room()],
  ] as const)('R-168 passes everything, not measured, for %s', (_, messages, given) => {
    expect(fitContext([...messages], [], given)).toMatchObject({
      messages,
      fits: true,
      breakdown: { measured: false },
    });
  });

  it('R-169 only ever raises the calibration', () => {
    const { breakdown } = fitContext([...head, ...turn(1, 3_000)], [], room());
    const raised = calibrated(FIRST_CALIBRATION, breakdown, breakdown.estimate * 2);
    expect(raised).toBeCloseTo(FIRST_CALIBRATION * 2);
    expect(calibrated(raised, breakdown, 1)).toBe(raised);
    expect(calibrated(FIRST_CALIBRATION, { ...breakdown, measured: false }, 1e9)).toBe(FIRST_CALIBRATION);
  });

  it('closes its account and keeps head, newest turn and pairs for any transcript', () => {
    const sizes = fc.array(fc.nat({ max: 20_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: 60_000 }),
        fc.double({ min: 1.15, max: 4, noNaN: true }),
        (bytes, window, calibration) => {
          const turns = bytes.map((size, index) => turn(index, size));
          const messages = [...head, ...turns.flat()];
          const { messages: sent, fits, breakdown } = fitContext(messages, [], room({ window, calibration }));
          expect(sent.slice(0, 2)).toEqual(head);
          expect(sent.slice(-2)).toEqual(messages.slice(-2));
          expect(danglingCalls(sent)).toEqual([]);
          expect(breakdown.systemPrompt + breakdown.request + breakdown.transcript + breakdown.tools).toBe(
            breakdown.estimate,
          );
          expect(breakdown.window - breakdown.reserve - breakdown.safety).toBe(breakdown.budget);
          expect(breakdown.remaining).toBe(breakdown.budget - breakdown.estimate);
          if (breakdown.measured) expect(fits).toBe(breakdown.remaining >= 0);
        },
      ),
    );
  });
});

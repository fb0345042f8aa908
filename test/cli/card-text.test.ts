import { describe, expect, it } from 'vitest';
import { cardLines } from '../../src-main/cli/card-text.ts';
import { UNREADABLE_REASONS } from '../../src-shared/vocabulary.ts';
import { aCall, aCard, filePreview } from '../renderer/card-builders.ts';

describe('a card at a terminal', () => {
  it('H-204 says why it cannot be decided, each reason in words of its own, and how to cancel the run', () => {
    const words = UNREADABLE_REASONS.map((unreadable) => cardLines(aCard({ calls: null, unreadable }), 0).at(-1));
    expect(new Set(words).size).toBe(UNREADABLE_REASONS.length);
    for (const line of words) expect(line).toMatch(/It can only be cancelled: cancel run-1$/);
  });

  it.each([
    ['that failed', { kind: 'failed', reason: 'The record does not exist.' } as const, 'The record does not exist.'],
    ['of content that is no text', filePreview({ diff: '', notes: ['It is no text.'] }), 'update: 2 -> 2 bytes'],
    ['that there is not', null, 'There is no preview.'],
  ])(
    'H-078 heads a write with a preview %s as decided without one, and shows why and with what',
    (_what, preview, why) => {
      const lines = cardLines(aCard({ calls: [aCall({ preview })] }), 0);
      const head = lines.indexOf('  DECIDING WITHOUT PREVIEW');
      expect(lines[head + 1]).toContain(why);
      expect(lines.slice(head).join('\n')).toMatch(/It was asked for with:[^]*"table": "pages"/);
    },
  );

  it.each([
    ['a write that is shown', {}],
    ['a read', { preview: null, effect: 'read_only' } as const],
  ])('H-078 says nothing of the kind of %s', (_what, given) => {
    expect(cardLines(aCard({ calls: [aCall(given)] }), 0).join('\n')).not.toContain('WITHOUT PREVIEW');
  });

  it('H-202 and H-239 names each value as a person reads it, with what may be picked', () => {
    const properties = { page_title: { type: 'string' }, size: { enum: [1, '1'] }, price: { type: 'number' } };
    const questions = [
      { callId: 'call-1', toolName: 'ask_x', schema: { type: 'object', properties, required: ['size'] } },
    ];
    const lines = cardLines(aCard({ questions }), 0);
    expect(lines).toContain('  page_title: Page title (text, may be left out)');
    expect(lines).toContain('  size: Size (one of these)');
    expect(lines.filter((line) => /^ {4}\d {2}/.test(line))).toHaveLength(2);
    expect(lines).toContain('  price: Price (number, may be left out)');
  });

  it('X-19 says when it expires, and nothing where it never does', () => {
    const expires = (expiresAtMs: number) =>
      cardLines(aCard({ expiresAtMs }), 1_000).filter((line) => line.startsWith('Expires'));
    expect(expires(0)).toEqual([]);
    expect(expires(3 * 3_600_000 + 1_000)).toEqual([expect.stringMatching(/^Expires {4}expires in 3 h: .*decides$/)]);
  });
});

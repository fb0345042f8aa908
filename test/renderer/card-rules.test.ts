import { describe, expect, it } from 'vitest';
import type { PendingCallView } from '../../src-shared/views/pending-decision-view.ts';
import {
  approvalHold,
  argumentText,
  cutsOf,
  denialHold,
  holdsInvisible,
  isBlind,
} from '../../src-renderer/features/card/card-rules.ts';
import { aCall, aCard, filePreview, recordPreview } from './card-builders.ts';

const facts = (card = aCard()) => ({
  card,
  cuts: cutsOf(card),
  opened: new Set<string>(),
  isBlindConfirmed: false,
  isConnected: true,
});
const longField = recordPreview([{ field: 'body', before: 'x'.repeat(2_001), after: 'y' }]);
const failed = { kind: 'failed', reason: 'No.' } as const;
const bar = { kind: 'second_approver_required', configuration: 'site' } as const;

describe('approving a card', () => {
  it('needs nothing more when everything is in sight', () => {
    expect(approvalHold(facts())).toBeNull();
  });

  it('is held back by the first thing that a person can do something about', () => {
    const card = aCard({ approvalBar: bar, calls: [aCall({ preview: longField }), aCall({ preview: failed })] });
    expect(approvalHold({ ...facts(card), isConnected: false })).toEqual({ kind: 'disconnected' });
    expect(approvalHold(facts(card))).toEqual({ kind: 'bar', refusal: bar });
    const open = { ...card, approvalBar: null };
    expect(approvalHold(facts(open))).toEqual({ kind: 'cuts', closed: ['0/field:0'] });
    expect(approvalHold({ ...facts(open), opened: new Set(['0/field:0']) })).toEqual({ kind: 'blind' });
    expect(approvalHold({ ...facts(open), opened: new Set(['0/field:0']), isBlindConfirmed: true })).toBeNull();
  });

  it('is impossible for a turn that cannot be read, as is denying it', () => {
    const card = aCard({ calls: null });
    expect(approvalHold(facts(card))).toEqual({ kind: 'unreadable' });
    expect(denialHold(facts(card))).toEqual({ kind: 'unreadable' });
  });
});

describe('denying a card', () => {
  it('needs a host, and neither sight of the change nor permission to approve it', () => {
    const card = aCard({ approvalBar: bar, calls: [aCall({ preview: failed })] });
    expect(denialHold(facts(card))).toBeNull();
    expect(denialHold({ ...facts(card), isConnected: false })).toEqual({ kind: 'disconnected' });
  });
});

describe('a call', () => {
  const table: [string, Partial<PendingCallView>, boolean][] = [
    ['with a preview', {}, false],
    ['without one', { preview: null }, true],
    ['whose preview failed', { preview: failed }, true],
    ['that only reads', { preview: null, effect: 'read_only' }, false],
    ['that is withheld, though it only reads', { preview: null, effect: 'read_only', withheld: [] }, true],
    ['that puts content in a file that is no text', { preview: filePreview({ diff: '' }) }, true],
    ['that empties a file', { preview: filePreview({ diff: '', sizeBytesAfter: 0 }) }, false],
    ['that moves a file', { preview: filePreview({ diff: '', action: 'move' }) }, false],
    ['that deletes a file', { preview: filePreview({ diff: '', action: 'delete', sizeBytesAfter: null }) }, false],
  ];
  it.each(table)('%s is decided blindly as it should be', (_name, given, expected) => {
    expect(isBlind(aCall(given))).toBe(expected);
  });
});

describe('the shortened parts', () => {
  it('are named by call, so that two calls never share one', () => {
    const fields = Array.from({ length: 201 }, (_, index) => ({ field: `f${index}`, before: 1, after: 2 }));
    const lines = ['@@ -1,0 +1,401 @@', ...Array.from({ length: 401 }, () => '+x'), ''].join('\n');
    const calls = [
      aCall({ preview: longField }),
      aCall({ preview: recordPreview(fields) }),
      aCall({ preview: filePreview({ diff: lines }) }),
      aCall({ preview: failed, arguments: { text: 'x'.repeat(2_000) } }),
    ];
    expect(cutsOf(aCard({ calls }))).toEqual(['0/field:0', '1/fields', '2/diff', '3/arguments']);
  });

  it('do not include arguments that the preview already shows', () => {
    expect(cutsOf(aCard({ calls: [aCall({ arguments: { text: 'x'.repeat(9_000) } })] }))).toEqual([]);
  });
});

describe('arguments', () => {
  it('are indented no further than can be read', () => {
    let nested: unknown = 1;
    for (let level = 0; level < 500; level += 1) nested = { a: nested };
    const text = argumentText(aCall({ arguments: nested as Record<string, unknown> }));
    expect(Math.max(...text.split('\n').map((line) => line.search(/\S/)))).toBe(40);
    expect(JSON.parse(text)).toEqual(nested);
  });
});

describe('invisible characters', () => {
  it.each([
    ['the label', aCard({ label: 'a\u202eb' })],
    ['the words of the agent', aCard({ assistantText: 'a\u200b' })],
    ['a key of the arguments', aCard({ calls: [aCall({ arguments: { 'k\u2028': 1 } })] })],
    [
      'a value of the preview',
      aCard({ calls: [aCall({ preview: recordPreview([{ field: 'f', after: '\u00ad' }]) })] }),
    ],
  ])('are noticed in %s', (_place, card) => {
    expect(holdsInvisible(card)).toBe(true);
  });

  it('are not line breaks, tabs and the line ends of Windows', () => {
    expect(holdsInvisible(aCard({ assistantText: 'a\r\n\tb\n' }))).toBe(false);
    expect(holdsInvisible(aCard({ assistantText: 'a\rb' }))).toBe(true);
  });
});

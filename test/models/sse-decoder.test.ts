import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseDecoder } from '../../src-main/models/sse-decoder.ts';

function decode(pieces: string[]): string[] {
  const decoder = createSseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

describe('server-sent events', () => {
  it('are the same wherever the text is cut and whatever ends its lines', () => {
    const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ''));
    const event = fc.array(line, { minLength: 1, maxLength: 3 });
    const cuts = fc.infiniteStream(fc.nat(6));
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n', '\r'), cuts, (events, end, sizes) => {
        const text = events.map((lines) => `${lines.map((data) => `data: ${data}${end}`).join('')}${end}`).join('');
        const pieces: string[] = [];
        for (let at = 0; at < text.length;) {
          const size = sizes.next().value as number;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(decode(pieces)).toEqual(events.map((lines) => lines.join('\n')));
      }),
    );
  });

  it.each<[string, string[]]>([
    ['data:a\n\ndata: b', ['a', 'b']],
    ['data:  two spaces\n\n', [' two spaces']],
    ['data\n\n', ['']],
    [': comment\nevent: x\nid: 1\nretry: 2\ndatabase: no\n\n', []],
    ['event: x\ndata: a\n: in between\ndata: b\n\n\n\n', ['a\nb']],
    ['', []],
  ])('of %j are %j', (text, events) => {
    expect(decode([text])).toEqual(events);
  });
});

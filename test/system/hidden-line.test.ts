import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readHidden, type HiddenInput } from '../../src-main/system/hidden-line.ts';

class FakeTerminal extends EventEmitter implements HiddenInput {
  isRaw = false;
  setRawMode = (isRaw: boolean): void => void (this.isRaw = isRaw);
  setEncoding = (): void => undefined;
  resume = (): void => undefined;
  pause = (): void => undefined;
}

/** What a person gets asked, shown and taken for an answer when the terminal delivers these pieces. */
async function typed(...pieces: string[]) {
  const terminal = new FakeTerminal();
  let shown = '';
  const answer = readHidden('Passphrase: ', terminal, { write: (text) => (shown += text) });
  expect(terminal.isRaw).toBe(true);
  for (const piece of pieces) terminal.emit('data', piece);
  return { answer: await answer, shown, terminal };
}

describe('a line that is not shown', () => {
  it.each([
    ['one key after the other', ['s', 'e', 'c', '\r'], 'sec'],
    ['pasted with its end', ['secret\n'], 'secret'],
    ['corrected', ['sx\u007fe\b\u007f', 'sec\r'], 'sec'],
    ['corrected by a whole character', ['a😀\u007fb\r'], 'ab'],
    ['more often corrected than typed', ['\u007f\u007fa\r'], 'a'],
    ['with more than one line', ['first\rsecond\r'], 'first'],
    ['with keys that are no text', ['a\u001b\u0000b\tc\r'], 'abc'],
    ['with keys that send more than one character', ['a\u001b[A\u001bOBb\u001b[1;5C\r'], 'ab'],
    ['nothing', ['\r'], ''],
    ['left with Ctrl+C', ['sec\u0003'], null],
    ['left with Ctrl+D', ['sec\u0004'], null],
  ])('is %s', async (_, pieces, expected) => {
    const { answer, shown, terminal } = await typed(...pieces);
    expect(answer).toBe(expected);
    expect(shown).toBe('Passphrase: \n');
    expect(terminal.isRaw).toBe(false);
    expect(terminal.listenerCount('data')).toBe(0);
  });
});

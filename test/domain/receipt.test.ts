import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src-main/domain/digest.ts';
import { receiptFile, receiptOf, signedText, type ReceiptFacts } from '../../src-main/domain/receipt.ts';
import { turnDigest } from '../../src-main/domain/turn-rules.ts';
import { openSigner, type SigningKey } from '../../src-main/system/signing-key.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'vectors', 'receipts', name), 'utf8');
/** The key pair of RFC 8032, 7.1, test 1. */
const KEY = JSON.parse(read('key.json')) as SigningKey;
const factsOf = (name: string) => JSON.parse(read(`${name}.facts.json`)) as ReceiptFacts;

const NAMES = ['approval', 'denial', 'input'];

describe('a receipt', () => {
  it.each(NAMES)('is made of its facts, byte for byte and for good: %s', (name) => {
    const receipt = canonicalJson(receiptOf(factsOf(name)));
    const signature = openSigner(KEY).sign(signedText(receipt)).toString('hex');
    expect(receiptFile(KEY.publicKey, receipt, signature)).toBe(read(`${name}.receipt`));
  });

  it.each(NAMES)('is a file in canonical form, keys in lower-case hex: %s', (name) => {
    const file = read(`${name}.receipt`);
    const parsed = JSON.parse(file) as { key: string; signature: string };
    expect(`${canonicalJson(parsed)}\n`).toBe(file);
    expect(parsed.key).toMatch(/^[0-9a-f]{64}$/);
    expect(parsed.signature).toMatch(/^[0-9a-f]{128}$/);
  });

  it('says of the tools of a turn that nobody knew that they had no definition', () => {
    const facts = factsOf('approval');
    const { tools } = receiptOf({ ...facts, turn: { ...facts.turn, definitions: {} } });
    expect(tools).toEqual([
      { name: 'set_x', digest: null, definition: null },
      { name: 'make_x', digest: null, definition: null },
    ]);
  });

  it('can be made of every turn that can be digested, however deep its arguments are', () => {
    const nested = (levels: number): ReceiptFacts['turn']['calls'][number]['arguments'] =>
      levels === 0 ? {} : { a: nested(levels - 1) };
    const facts = factsOf('approval');
    const [call, ...more] = facts.turn.calls as [ReceiptFacts['turn']['calls'][number]];
    const at = (levels: number) => [{ ...call, arguments: nested(levels) }, ...more];
    let deepest = 500;
    while (isMade(() => turnDigest(at(deepest + 1)))) deepest += 1;
    const edits = { [call.id]: { original: nested(deepest), editedBy: [1] } };
    const turn = { ...facts.turn, calls: at(deepest), edits };
    expect(isMade(() => canonicalJson(receiptOf({ ...facts, turn })))).toBe(true);
  });
});

function isMade(make: () => string): boolean {
  try {
    return make() !== '';
  } catch {
    return false;
  }
}

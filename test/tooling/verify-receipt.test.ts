import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, digest } from '../../src-main/domain/digest.ts';
import { createSigningKey, openSigner, type SigningKey } from '../../src-main/system/signing-key.ts';
import { canonical, judgeReceipt } from '../../scripts/verify-receipt.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const VECTORS = join(ROOT, 'test', 'vectors', 'receipts');
const read = (name: string): Buffer => readFileSync(join(VECTORS, name));
const KEY = JSON.parse(read('key.json').toString()) as SigningKey;
const OTHER = createSigningKey();
const NAMES = ['approval', 'denial', 'input'];

/** What the check says: its sentence, or why it does not hold. */
function said(bytes: Uint8Array, key = KEY.publicKey): string {
  try {
    return judgeReceipt(bytes, key);
  } catch (error) {
    return `NOT: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface File {
  key: string;
  receipt: Record<string, unknown>;
  signature: string;
}
const parsed = (name: string) => JSON.parse(read(`${name}.receipt`).toString()) as File;
const written = (file: object): Buffer => Buffer.from(`${canonicalJson(file)}\n`);
/** What somebody makes of it who has a key. */
const signed = (receipt: File['receipt'], key = KEY): Buffer =>
  written({
    key: key.publicKey,
    receipt,
    signature: openSigner(key)
      .sign(`countersign receipt/1: ${canonicalJson(receipt)}`)
      .toString('hex'),
  });

describe('the check of a receipt', () => {
  it.each(NAMES)('holds for the golden one: %s', (name) => {
    expect(said(read(`${name}.receipt`))).toMatch(
      /^Holds: decision \d of run 0b54ae3c-\S+ \((approved|denied|answered)\), signed 2025-/,
    );
  });

  it('fails on each of more than 20,000 mutations of one byte', { timeout: 120_000 }, () => {
    const bytes = read('denial.receipt');
    let mutations = 0;
    const survived: string[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes.readUInt8(at);
      const flipped = Array.from({ length: 8 }, (_, bit) => byte ^ (1 << bit));
      for (const value of new Set([...flipped, 0x09, 0x0a, 0x20, 0x30, 0xff].filter((other) => other !== byte))) {
        bytes.writeUInt8(value, at);
        mutations += 1;
        if (!said(bytes).startsWith('NOT: ')) survived.push(`${at}: ${value}`);
      }
      bytes.writeUInt8(byte, at);
    }
    expect(survived).toEqual([]);
    expect(mutations).toBeGreaterThanOrEqual(20_000);
    expect(said(bytes)).toMatch(/^Holds/);
  });

  it('fails on every shorter file, and on every one with something more', () => {
    const bytes = read('input.receipt');
    const shorter = Array.from(bytes, (_, length) => said(bytes.subarray(0, length)));
    expect(shorter.filter((sentence) => !sentence.startsWith('NOT: '))).toEqual([]);
    const cut = Array.from(bytes, (_, at) => said(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])));
    expect(cut.filter((sentence) => !sentence.startsWith('NOT: '))).toEqual([]);
    for (const more of [' ', '\n', '\r\n', '\0', '{}', '\ufeff']) {
      expect(said(Buffer.concat([bytes, Buffer.from(more)])), JSON.stringify(more)).toMatch(/^NOT: /);
      expect(said(Buffer.concat([Buffer.from(more), bytes])), JSON.stringify(more)).toMatch(/^NOT: /);
    }
  });

  it.each([
    ['a member twice', (text: string) => text.replace('{"key"', '{"key":"x","key"')],
    ['a member more', (text: string) => text.replace(/}\n$/, ',"zzz":1}\n')],
    ['the members in another order', (text: string) => text.replace(/^\{("key":"\w+"),(.*)\}\n$/s, '{$2,$1}\n')],
    ['an escape that says the same', (text: string) => text.replace('"format"', String.raw`"\u0066ormat"`)],
    ['a number that is the same', (text: string) => text.replace('"round":2', '"round":2.0')],
    [
      'the signature in upper case',
      (text: string) =>
        text.replace(/"signature":"(\w+)"/, (all) => all.toUpperCase().replace('SIGNATURE', 'signature')),
    ],
    ['the key in upper case', (text: string) => text.replace(KEY.publicKey, KEY.publicKey.toUpperCase())],
    ['another line end', (text: string) => text.replace('\n', '\r\n')],
    ['no receipt', () => 'null\n'],
    ['a list', () => '[]\n'],
    ['a receipt of another form', (text: string) => text.replace('countersign-receipt/1', 'countersign-receipt/2')],
  ])('fails on a file with %s', (_what, change) => {
    const text = read('approval.receipt').toString();
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(said(Buffer.from(changed))).toMatch(/^NOT: /);
  });

  it('takes the key from who asks, never from the file', () => {
    const theirs = signed(parsed('approval').receipt, OTHER);
    expect(said(theirs)).toContain('another key');
    expect(said(read('approval.receipt'), OTHER.publicKey)).toContain('another key');
    // The file names our key and is signed with another one.
    const { key, receipt } = parsed('approval');
    const { signature } = JSON.parse(theirs.toString()) as File;
    expect(said(written({ key, receipt, signature }))).toContain('signature');
  });

  it('fails when the signatures of two receipts change places', () => {
    const [one, other] = [parsed('approval'), parsed('denial')];
    expect(said(written({ ...one, signature: other.signature }))).toContain('signature');
    expect(said(written({ ...other, signature: one.signature }))).toContain('signature');
  });

  it('does not take the signature of a head of the chain for that of a receipt', () => {
    const { key, receipt } = parsed('approval');
    const signature = openSigner(KEY)
      .sign(`countersign signed-head/1: ${canonicalJson(receipt)}`)
      .toString('hex');
    expect(said(written({ key, receipt, signature }))).toContain('signature');
  });

  it.each([
    ['calls', { calls: [] }],
    ['calls', { questions: [{ callId: 'call_1', toolName: 'set_x', schema: {} }] }],
    ['previews', { previews: [] }],
    ['tools', { tools: [{ name: 'set_x', digest: 'a'.repeat(64), definition: { name: 'set_x' } }] }],
    [
      'tools',
      { tools: [{ name: 'read_x', digest: digest('tool/1:', { name: 'set_x' }), definition: { name: 'set_x' } }] },
    ],
    ['key', { keyFingerprint: 'a'.repeat(64) }],
  ])('recomputes what the digests of a signed receipt are of: %s', (part, change) => {
    expect(said(signed({ ...parsed('approval').receipt, ...change }))).toContain(`its ${part} are not those`);
  });
});

describe('its own encoder', () => {
  const folder = join(ROOT, '..', 'shared', 'vectors', 'jcs');
  const inputs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.input.json')) : [];
  if (inputs.length === 0)
    console.log('Skipped: the RFC 8785 vectors are not beside this repository (../shared/vectors/jcs).');

  it.skipIf(inputs.length === 0).each(inputs)('H-090 gives the bytes of the RFC 8785 vectors: %s', (name) => {
    const expected = readFileSync(join(folder, name.replace('.input.', '.output.')), 'utf8');
    expect(canonical(JSON.parse(readFileSync(join(folder, name), 'utf8')))).toBe(expected);
  });

  it.each(['"\\ud800"', '{"\\udfff":1}', '1e999', `${'['.repeat(1_200)}${']'.repeat(1_200)}`])(
    'refuses what has no canonical form: %.20s',
    (text) => {
      expect(() => canonical(JSON.parse(text))).toThrow(/^It /);
    },
  );
});

describe('the script', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-receipt-'));
    copyFileSync(join(ROOT, 'scripts', 'verify-receipt.mjs'), join(folder, 'verify-receipt.mjs'));
    writeFileSync(join(folder, 'good.receipt'), read('approval.receipt'));
    writeFileSync(join(folder, 'bad.receipt'), read('approval.receipt').toString().replace('approved', 'denied'));
    writeFileSync(join(folder, 'malformed.receipt'), signed({ format: 'countersign-receipt/1' }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    [0, ['good.receipt', '--key', KEY.publicKey], /^Holds: /],
    [0, ['--key', KEY.publicKey, 'good.receipt'], /^Holds: /],
    [1, ['bad.receipt', '--key', KEY.publicKey], /^Does NOT hold: /],
    [1, ['malformed.receipt', '--key', KEY.publicKey], /^Does NOT hold: /],
    [1, ['good.receipt', '--key', OTHER.publicKey], /^Does NOT hold: /],
    [2, ['good.receipt'], /^usage: /],
    [2, ['good.receipt', '--key'], /^usage: /],
    [2, ['good.receipt', '--key', KEY.publicKey.toUpperCase()], /^usage: /],
    [2, ['good.receipt', 'bad.receipt', '--key', KEY.publicKey], /^usage: /],
    [2, ['nowhere.receipt', '--key', KEY.publicKey], /cannot be read/],
    [2, [], /^usage: /],
  ])('ends with %i for %j and says why in one line, in a folder without packages', (code, words, sentence) => {
    const ended = spawnSync(process.execPath, ['verify-receipt.mjs', ...words], { cwd: folder, encoding: 'utf8' });
    const lines = `${ended.stdout}${ended.stderr}`.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(sentence);
    expect(ended.status).toBe(code);
  });

  it('imports nothing but what Node brings', () => {
    const source = readFileSync(join(folder, 'verify-receipt.mjs'), 'utf8');
    expect([...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name)).toEqual(['node:crypto', 'node:fs']);
    expect(source).not.toMatch(/\bimport\(|\brequire\(/);
  });
});

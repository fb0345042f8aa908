/*
 * Checks the receipt of a decision without the console, its database or any package: copy this file to wherever the receipt is.
 *
 *   node verify-receipt.mjs FILE --key KEY
 *
 * KEY is the public key of the installation, 64 lower-case hex digits, noted down when the installation was trusted (its
 * `verify` prints it). The key inside the file is never used, only compared. Exit code 0: the receipt holds; 1: it does not;
 * 2: wrong usage, or no such file. The form is described in docs/decisions/0027-receipts.md.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';

const usage = 'usage: node verify-receipt.mjs FILE --key KEY   (KEY: 64 lower-case hex digits)';
const format = 'countersign-receipt/1';
/** More than any receipt has; bounds the recursion. */
const deepest = 1_000;

/** The receipt does not hold; the message is for people. */
class NotHeld extends Error {}

/** @typedef {Record<string, any>} Members */

/**
 * RFC 8785: members sorted by UTF-16 code unit, shortest numbers, no blanks.
 *
 * @param {unknown} value as JSON.parse gives it
 * @returns {string}
 */
export function canonical(value, depth = 0) {
  if (depth > deepest) throw new NotHeld('It is nested too deeply.');
  if (typeof value === 'string' && !value.isWellFormed()) throw new NotHeld('It holds half of a character.');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotHeld('It holds a number that is too large.');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join(',')}]`;
  const members = /** @type {Members} */ (value);
  const texts = Object.keys(members)
    .toSorted()
    .map((name) => `${canonical(name)}:${canonical(members[name], depth + 1)}`);
  return `{${texts.join(',')}}`;
}

/**
 * What a receipt proves, as one sentence.
 *
 * @param {Uint8Array} bytes the whole file
 * @param {string} key public key, hex
 * @throws {NotHeld} when it does not hold
 */
export function judgeReceipt(bytes, key) {
  const text = decode(bytes);
  const file = membersOf(parse(text), 'key', 'receipt', 'signature');
  const receipt = membersOf(file.receipt);
  if (receipt.format !== format) throw new NotHeld(`It is no receipt of the form ${format}.`);
  // The whole file: no byte of it, not even a blank or the order of members, is free to differ.
  if (`${canonical(file)}\n` !== text) throw new NotHeld('Its bytes are not the canonical form of what it says.');
  if (file.key !== key) throw new NotHeld('It names another key than the one given with --key.');
  if (!isSigned(`countersign receipt/1: ${canonical(receipt)}`, file.signature, key))
    throw new NotHeld('Its signature was not made with this key, or what was signed has been changed.');
  proveParts(receipt, key);
  const { run, decision, signedAtMs } = receipt;
  return `Holds: decision ${decision.number} of run ${plain(run.id)} (${verdictOf(decision)}), signed ${timeOf(signedAtMs)}.`;
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotHeld('It is no UTF-8 text.');
  }
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotHeld('It is no JSON.');
  }
}

/**
 * An object that has exactly these members; none named = any.
 *
 * @param {unknown} value
 * @param {string[]} names
 * @returns {Members}
 */
function membersOf(value, ...names) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || (names.length > 0 && Object.keys(value).toSorted().join() !== names.join()))
    throw new NotHeld('It has not the parts of a receipt.');
  return value;
}

/**
 * @param {string} text
 * @param {unknown} signature
 * @param {string} key
 */
function isSigned(text, signature, key) {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(null, Buffer.from(text, 'utf8'), publicKey, Buffer.from(signature, 'hex'));
}

/**
 * @param {string} tag
 * @param {unknown} value
 */
const digest = (tag, value) =>
  createHash('sha256')
    .update(tag + canonical(value), 'utf8')
    .digest('hex');

/**
 * A signed receipt whose digests are not those of its own parts was signed by mistake, or by somebody who has the key.
 *
 * @param {Members} receipt
 * @param {string} key
 */
function proveParts({ keyFingerprint, turn, calls, questions, previews, tools }, key) {
  const asked = calls.map((/** @type {Members} */ call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const bound = questions.length > 0 ? digest('input/1:', { calls: asked, questions }) : digest('turn/1:', asked);
  prove(keyFingerprint === digest('key/1:', key), 'key');
  prove(turn.digest === bound, 'calls');
  prove(turn.previewDigest === digest('preview/1:', previews), 'previews');
  for (const { name, digest: shown, definition } of tools) {
    prove(definition === null || (definition.name === name && shown === digest('tool/1:', definition)), 'tools');
  }
}

/**
 * @param {boolean} holds
 * @param {string} part
 */
function prove(holds, part) {
  if (!holds) throw new NotHeld(`It is signed, but its ${part} are not those that its own digests name.`);
}

/** @param {Members} decision */
function verdictOf({ kind, verdicts }) {
  if (kind === 'input') return 'answered';
  const all = new Set(Object.values(verdicts));
  return all.size === 1 ? [...all][0] : 'decided call by call';
}

/** @param {number} ms */
const timeOf = (ms) => new Date(ms).toISOString();

/** @param {string} text for a terminal */
const plain = (text) => text.replaceAll(/[^ -~]/g, '?');

/**
 * @param {string[]} words
 * @returns {number} exit code
 */
function main(words) {
  const at = words.indexOf('--key');
  const key = at < 0 ? '' : (words[at + 1] ?? '');
  const [path, ...more] = at < 0 ? words : words.toSpliced(at, 2);
  if (path === undefined || more.length > 0 || !/^[0-9a-f]{64}$/.test(key)) return say(2, usage);
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch {
    return say(2, `${path} cannot be read. ${usage}`);
  }
  try {
    return say(0, judgeReceipt(bytes, key));
  } catch (error) {
    // A member of another type than it must have is a receipt that nobody ever signed rightly.
    if (!(error instanceof NotHeld) && !(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return say(1, `Does NOT hold: ${error instanceof NotHeld ? error.message : 'it has not the parts of a receipt.'}`);
  }
}

/**
 * @param {number} code
 * @param {string} sentence
 */
function say(code, sentence) {
  (code === 0 ? process.stdout : process.stderr).write(`${sentence}\n`);
  return code;
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(new URL(import.meta.url)))
  process.exitCode = main(process.argv.slice(2));

import { signatureCheck } from '../system/signing-key.ts';
import { headProblem, headsAfter, type SignedHead } from './signed-heads.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';
import type { ChainProblem } from './chain-problem.ts';

/*
 * A list of signed heads that is kept outside the file: one JSON object per line, the first line says whose they are.
 * Compared with the file it shows what the file alone cannot: that it is an older copy.
 */

const FORMAT = 'countersign-heads/1';

export interface HeadList {
  publicKey: string;
  heads: SignedHead[];
}

export const firstLine = (publicKey: string): string => JSON.stringify({ format: FORMAT, publicKey });

/** Heads after a number as lines of a list. */
export const headLines = (statements: Statements, afterNumber: number): string[] =>
  Array.from(headsAfter(statements, afterNumber), (head) => JSON.stringify(head));

const FIELDS: { [K in keyof SignedHead]: 'string' | 'number' } = {
  number: 'number',
  run_id: 'string',
  sequence: 'number',
  event_hash: 'string',
  at_ms: 'number',
  change_seq: 'number',
  change_hash: 'string',
  previous_hash: 'string',
  hash: 'string',
  signature: 'string',
};

/** Reads a list; null when the text is none. A line that is no head fails the list, not just itself. */
export function readHeadList(text: string): HeadList | null {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const { format, publicKey } = objectOf(first);
  if (format !== FORMAT || typeof publicKey !== 'string') return null;
  const heads = lines.map((line) => headOf(objectOf(line)));
  return heads.every((head) => head !== null) ? { publicKey, heads } : null;
}

function objectOf(line: string): Record<string, unknown> {
  const value = parseStored(line);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function headOf(value: Record<string, unknown>): SignedHead | null {
  const names = Object.keys(FIELDS) as (keyof SignedHead)[];
  const isHead = names.every((name) => typeof value[name] === FIELDS[name]);
  return isHead ? (Object.fromEntries(names.map((name) => [name, value[name]])) as SignedHead) : null;
}

/** What is wrong with a list by itself, for somebody who has nothing but the public key. */
export function headListProblems({ heads }: HeadList, publicKey: string): ChainProblem[] {
  const isSigned = signatureCheck(publicKey);
  return heads.flatMap((head, index) => {
    const before = heads[index - 1];
    const follows = before === undefined || (head.number === before.number + 1 && head.previous_hash === before.hash);
    const problem = follows ? headProblem(head, isSigned) : 'it does not follow the head before it';
    return problem ? [{ where: `kept head ${head.number}`, problem }] : [];
  });
}

/**
 * Compares a kept list with the file: every head of the list must be in it, the same. One that is missing means an older
 * copy of the file, or one whose end was cut off with the key at hand.
 */
export function compareHeads(statements: Statements, { heads }: HeadList): ChainProblem[] {
  const stored = statements.get('select hash from heads where number = ?').pluck();
  return heads.flatMap(({ number, hash }) => {
    const found = stored.get(number) as string | undefined;
    if (found === hash) return [];
    const problem =
      found === undefined ? 'the file does not have it: it is older than the list' : 'the file has another one';
    return [{ where: `kept head ${number}`, problem }];
  });
}

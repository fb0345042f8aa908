import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli, type Ended } from '../support/cli.ts';

let folder: string;
let runId: string;

const database = (name: string): string => join(folder, name, 'countersign.db');
const at = (name: string, ...words: string[]): Promise<Ended> => cli([...words, '--db', database(name)]);
const copyTo = (name: string): void => cpSync(join(folder, 'first'), join(folder, name), { recursive: true });

interface Card {
  runId: string;
  hold: string;
  card: { turnDigest: string; previewRevision: number };
}
const show = async (name: string): Promise<Card> => (await at(name, 'show', runId, '--json')).json() as Card;

/** A decision at the card as it is on the screen. */
async function decide(name: string, how: 'approve' | 'deny'): Promise<Ended> {
  const { card } = await show(name);
  const binding = ['--digest', card.turnDigest, '--revision', String(card.previewRevision)];
  return at(name, how, runId, ...binding, '--json');
}

/** One run that waits for an approval. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-copies-'));
  expect((await at('first', 'sample', join(folder, 'site'))).code).toBe(0);
  const prompt = 'Check the meta description of page 42';
  const run = await at('first', 'run', prompt, '--configuration', 'sample', '--json');
  runId = (run.json() as Card).runId;
}, 60_000);
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a copied database', () => {
  it('holds its runs, decides nothing and says why, until an administrator releases them', async () => {
    copyTo('second');
    expect((await show('second')).hold).toBe('restored');
    for (const how of ['approve', 'deny'] as const) {
      const refused = await decide('second', how);
      expect(refused.code).toBe(1);
      expect(refused.json()).toMatchObject({ refusal: { kind: 'restored' } });
    }
    expect((await at('second', 'show', runId)).stdout).toContain('put back from a copy');
    expect((await at('second', 'inbox')).stdout).toContain('1 run is held');
    expect((await at('second', 'status')).stdout).toContain('1 run is held');
    expect((await at('second', 'doctor')).stdout).toContain('1 run is held');
    expect((await at('second', 'verify')).code).toBe(0);

    const released = await at('second', 'release', '--all', '--json');
    expect(released).toMatchObject({ code: 0 });
    expect(released.json()).toEqual({ released: [runId] });
    expect((await show('second')).hold).toBe('');
    expect((await decide('second', 'approve')).code).toBe(0);
    expect((await at('second', 'events', runId)).stdout).toContain('released');
    expect((await at('second', 'verify')).code).toBe(0);
  }, 60_000);

  it('leaves the runs of the first alone, and a released run is not held by the next start', async () => {
    copyTo('second');
    expect((await at('second', 'release', runId)).code).toBe(0);
    expect((await show('second')).hold).toBe('');
    expect((await show('first')).hold).toBe('');
    expect((await decide('first', 'deny')).code).toBe(0);
  }, 60_000);

  it('is one without its mark, too, and one brought along with key and database only', async () => {
    copyTo('second');
    rmSync(`${database('second')}.instance`);
    expect((await show('second')).hold).toBe('restored');
  }, 60_000);

  it('is not a folder that was moved', async () => {
    renameSync(join(folder, 'first'), join(folder, 'moved'));
    expect((await show('moved')).hold).toBe('');
  }, 60_000);
});

describe('a database put back to an earlier moment', () => {
  /** The content of the file as it was, written into the same file: what a restore in place does. */
  it('is noticed by what is kept beside it: the decided turn waits again, and cannot be decided again', async () => {
    const earlier = ['', '-wal'].map((part) => `${database('first')}${part}`).filter((path) => existsSync(path));
    const contents = earlier.map((path) => readFileSync(path));
    expect((await decide('first', 'approve')).code).toBe(0);
    for (const part of ['-wal', '-shm']) rmSync(`${database('first')}${part}`, { force: true });
    for (const [index, path] of earlier.entries()) writeFileSync(path, contents[index] as Buffer);

    expect((await show('first')).hold).toBe('restored');
    expect((await decide('first', 'approve')).json()).toMatchObject({ refusal: { kind: 'restored' } });
    const verified = (await at('first', 'verify', '--json')).json();
    expect(verified).toMatchObject({ chainVerified: true });
  }, 60_000);
});

it('release says what is not held, and what is no run', async () => {
  expect((await at('first', 'release', runId, '--json')).json()).toMatchObject({ refusal: { kind: 'not_restored' } });
  expect((await at('first', 'release', 'nothing', '--json')).json()).toMatchObject({
    refusal: { kind: 'unknown_run' },
  });
  expect((await at('first', 'release', '--all', '--json')).json()).toEqual({ released: [] });
  expect((await at('first', 'release', runId, '--all')).code).toBe(2);
}, 60_000);

describe('a list of heads', () => {
  it('is begun, added to, and shows an older file; with the public key alone it can be checked', async () => {
    const list = join(folder, 'heads.jsonl');
    copyTo('second');
    expect((await decide('first', 'approve')).code).toBe(0);
    const begun = (await at('first', 'verify', '--heads', list, '--json')).json() as { publicKey: string };
    expect(begun).toMatchObject({ chainVerified: true, heads: 1, compared: 0 });
    const again = await at('first', 'verify', '--heads', list, '--json');
    expect(again.json()).toMatchObject({ chainVerified: true, compared: 1 });
    expect((await cli(['verify', '--heads', list, '--public-key', begun.publicKey])).code).toBe(0);
    expect((await cli(['verify', '--heads', list, '--public-key', '0'.repeat(64)])).code).toBe(1);
    const text = readFileSync(list, 'utf8');
    const older = await at('second', 'verify', '--heads', list, '--json');
    expect(older.code).toBe(1);
    expect(older.json()).toMatchObject({
      problems: [{ problem: expect.stringContaining('another installation') as string }],
    });
    expect(readFileSync(list, 'utf8')).toBe(text);
  }, 60_000);
});

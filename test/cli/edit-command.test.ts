import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { cli } from '../support/cli.ts';

interface Card {
  runId: string;
  turnDigest: string;
  previewRevision: number;
  calls: { id: string; arguments: { values: Record<string, string> }; edit: { original: unknown } | null }[];
}

describe('edit at the command line', () => {
  let folder: string;
  let database: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-edit-'));
    database = ['--db', join(folder, 'console', 'countersign.db')];
    expect((await cli(['sample', join(folder, 'site'), ...database])).code).toBe(0);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const json = async (...words: string[]): Promise<{ code: number | null; value: { card: Card } }> => {
    const ended = await cli([...words, '--json', ...database]);
    return { code: ended.code, value: ended.json() as { card: Card } };
  };
  const bindingOf = ({ turnDigest, previewRevision }: Card) => [
    '--digest',
    turnDigest,
    '--revision',
    String(previewRevision),
  ];
  const description = () => {
    const site = openSqlite(join(folder, 'site', 'site.db'));
    const found = site.prepare('select meta_description from pages where id = 42').pluck().get();
    site.close();
    return found;
  };

  it('writes exactly what a person put in place of what the model asked for, and nothing before it was approved', async () => {
    const words = ['run', 'Check the meta description of page 42', '--configuration', 'sample'];
    const { card } = (await json(...words)).value;
    const [call] = card.calls as [Card['calls'][number]];
    const before = description();
    const values = { meta_description: 'Written by a person — ünd whole.' };
    const edited = ['--arguments', JSON.stringify({ ...call.arguments, values })];
    expect(await json('edit', card.runId, ...edited)).toMatchObject({
      code: 1,
      value: { refusal: { kind: 'stale_turn' } },
    });
    expect(await json('edit', card.runId, ...bindingOf(card), '--arguments', '{"table":7}')).toMatchObject({
      code: 1,
      value: { refusal: { kind: 'invalid_arguments', toolName: 'update_record' } },
    });
    expect((await json('edit', card.runId, ...bindingOf(card), ...edited)).code).toBe(0);
    expect(description()).toBe(before);
    const shown = (await json('show', card.runId)).value.card;
    expect(shown.calls[0]).toMatchObject({ arguments: { values }, edit: { original: call.arguments } });
    expect(await json('approve', card.runId, ...bindingOf(card))).toMatchObject({
      value: { refusal: { kind: 'stale_turn' } },
    });
    expect(await json('approve', card.runId, ...bindingOf(shown), '--wait')).toMatchObject({ code: 0 });
    expect(description()).toBe(values.meta_description);
    expect(await json('verify')).toMatchObject({ code: 0, value: { chainVerified: true } });
  }, 120_000);

  it.each([
    [['--arguments', 'no json'], /no JSON/],
    [['--arguments', '{"a":1e999}'], /JSON object/],
  ])('takes no %j', async (words, sentence) => {
    const ended = await cli(['edit', 'any-run', ...words, ...database]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(sentence);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.ts';

describe('the command line', () => {
  let folder: string;
  let database: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-cli-test-'));
    database = ['--db', join(folder, 'console', 'countersign.db')];
    expect((await cli(['sample', join(folder, 'site'), ...database])).code).toBe(0);
  }, 30_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const json = async (...words: string[]): Promise<{ code: number | null; value: Record<string, unknown> }> => {
    const ended = await cli([...words, '--json', ...database]);
    return { code: ended.code, value: ended.json() as Record<string, unknown> };
  };

  it('tells the whole story in separate commands, each an own process', async () => {
    const queued = await json('enqueue', 'Check the meta description of page 42', '--configuration', 'sample');
    expect(queued).toMatchObject({ code: 0, value: { status: 'queued' } });
    const runId = String(queued.value.runId);
    expect((await json('worker', '--until-idle')).code).toBe(0);
    expect((await json('inbox')).value).toMatchObject({
      waiting: [
        { runId, status: 'waiting_for_approval', pendingTool: 'update_record', pendingTarget: 'site/pages#42' },
      ],
    });
    const { card } = (await json('show', runId)).value as { card: { turnDigest: string; previewRevision: number } };
    expect(await json('approve', runId)).toMatchObject({ code: 1, value: { refusal: { kind: 'stale_turn' } } });
    const binding = ['--digest', card.turnDigest, '--revision', String(card.previewRevision)];
    expect(await json('approve', runId, ...binding, '--wait')).toMatchObject({
      code: 0,
      value: { status: 'completed' },
    });
    expect(await json('approve', runId, ...binding)).toMatchObject({
      code: 1,
      value: { refusal: { kind: 'not_awaiting_approval' } },
    });
    expect(await json('cancel', runId)).toMatchObject({ code: 1, value: { refusal: { kind: 'already_ended' } } });
    const events = (await json('events', runId, '--after', '2')).value as unknown as { sequence: number }[];
    expect(events[0]?.sequence).toBe(3);
    expect(await json('verify')).toMatchObject({ code: 0, value: { chainVerified: true } });
  }, 60_000);

  it('H-150 runs until the card, denies with a reason and lets the run end', async () => {
    const waiting = await json('run', 'Check the meta description of page 7', '--configuration', 'sample');
    expect(waiting).toMatchObject({ code: 0, value: { status: 'waiting_for_approval' } });
    const card = waiting.value.card as { runId: string; turnDigest: string; previewRevision: number };
    const denied = await json(
      'deny',
      card.runId,
      '--digest',
      card.turnDigest,
      '--revision',
      String(card.previewRevision),
      '--reason',
      'skip',
      '--wait',
    );
    expect(denied).toMatchObject({ code: 0, value: { status: 'completed' } });
    expect(denied.value.answer).toContain('not approved');
  }, 60_000);

  it('R-74 and T-12 asks, shows the form from the stored row, and goes on with the answers', async () => {
    const asking = await json('run', 'Rename page 42', '--configuration', 'sample-questions');
    expect(asking).toMatchObject({ code: 0, value: { status: 'waiting_for_input' } });
    const runId = String(asking.value.runId);
    const shown = await cli(['show', runId, ...database]);
    expect(shown.stdout).toMatch(/What should page 42 be called\?[^]*title: New title \(text\)[^]*2 {2}"Not at all"/);
    const { card } = (await json('show', runId)).value as { card: { turnDigest: string; previewRevision: number } };
    const binding = ['--digest', card.turnDigest, '--revision', String(card.previewRevision)];
    const set = ['--set', 'title=When we are open', '--set', 'menu=1'];
    expect(await json('answer', runId, ...set)).toMatchObject({ code: 1, value: { refusal: { kind: 'stale_turn' } } });
    expect(await json('approve', runId, ...binding)).toMatchObject({ code: 1 });
    expect(await json('answer', runId, '--set', 'menu=Never', ...binding)).toMatchObject({
      code: 1,
      value: {
        refusal: {
          kind: 'invalid_input',
          problems: [
            { field: 'title', problem: 'missing' },
            { field: 'menu', problem: 'not_an_option' },
          ],
        },
      },
    });
    const answered = await json('answer', runId, ...set, ...binding, '--wait');
    expect(answered).toMatchObject({
      code: 0,
      value: {
        status: 'waiting_for_approval',
        card: { calls: [{ arguments: { values: { title: 'When we are open' } } }] },
      },
    });
    expect(await json('answer', runId, ...set, ...binding)).toMatchObject({
      code: 1,
      value: { refusal: { kind: 'not_awaiting_input' } },
    });
    expect(await json('cancel', runId)).toMatchObject({ code: 0 });
  }, 60_000);

  it.each([
    [[], 2, /npm run -s cli/],
    [['reap', '--limit', '0'], 2, /--limit must be a whole number from 1/],
    [['--help'], 0, /demo/],
    [['frobnicate'], 2, /no command frobnicate/],
    [['show'], 2, /RUN is missing/],
    [['show', 'a', 'b'], 2, /Only one RUN/],
    [['enqueue', 'x', '--rounds', '0'], 2, /from 1 to 20/],
    [['enqueue', 'x', '--rounds', '-1'], 2, /rounds/],
    [
      ['enqueue', 'x', '--configuration', 'nope'],
      2,
      /no configuration nope. Known: sample, sample-files, sample-questions/,
    ],
    [['enqueue', 'x'], 2, /which configuration.*sample, sample-files, sample-questions/],
    [['deny', 'x', '--reason', 'because'], 2, /variant, skip/],
    [['connect', 'm', '--base-url', 'ftp://x', '--model', 'y'], 2, /http or https/],
    [['connect', 'm', '--base-url', 'http://u:p@127.0.0.1/v1', '--model', 'y'], 2, /--key-from/],
    [
      ['connect', 'm', '--base-url', 'http://127.0.0.1/v1', '--model', 'y', '--key-from', 'NO_SUCH_VARIABLE'],
      2,
      /NO_SUCH_VARIABLE/,
    ],
    [
      ['connect', 'm', '--base-url', 'http://127.0.0.1/v1', '--model', 'y', '--database', 'a=/no/such'],
      2,
      /no file \/no\/such/,
    ],
    [['connect', 'Bad Name', '--base-url', 'http://127.0.0.1/v1', '--model', 'y'], 2, /small letter/],
    [['status', '--min-workers', '1.5'], 2, /whole number/],
    [['status', '--since', '2026-01-01'], 2, /--counts/],
    [['status', '--counts', '--since', 'monday'], 2, /2026-01-31/],
    [['status', '--counts'], 0, /Alive now/],
    [['status', '--transport', 'a b'], 2, /--transport/],
    [['inbox', '--wat'], 2, /--wat/],
    [['show', 'no-such-run'], 1, /no such run/],
    [['diagnostics', '/no/such/folder/file.json'], 2, /no folder/],
    [['status'], 1, /healthy +no/],
    [['status', '--min-workers', '0'], 0, /healthy +yes/],
  ])('R-116 and R-212 answers %j with code %i and a sentence', async (words, code, sentence) => {
    const ended = await cli([...words, ...(words.length > 0 && !words[0]?.startsWith('-') ? database : [])]);
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toMatch(sentence);
    expect(ended.stderr).not.toContain('    at ');
  });

  it.each(['0', 'x'])(
    'R-215 purges nothing when told a window of %s days',
    async (days) => {
      const queued = await json('enqueue', 'Ended long ago', '--configuration', 'sample');
      expect((await json('cancel', String(queued.value.runId))).code).toBe(0);
      const before = await json('find', '--status', 'ended');
      expect(before.value.runs).not.toEqual([]);
      const ended = await cli(['purge', '--older-than-days', days, ...database]);
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--older-than-days') });
      expect(await json('find', '--status', 'ended')).toEqual(before);
    },
    60_000,
  );

  it('R-212 judges options before it opens the file, and calls a file that cannot be read a fault, not healthy', async () => {
    const unopenable = join(folder, 'no-database');
    writeFileSync(unopenable, 'this is no database', { mode: 0o600 });
    const wrong = await cli(['status', '--max-wait=1.5', '--db', unopenable]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--max-wait') });
    const fault = await cli(['status', '--json', '--db', unopenable]);
    expect(fault).toMatchObject({ code: 1, stderr: expect.stringContaining('no database') });
    expect(fault.json()).toMatchObject({ error: 'failed' });
  });

  it('R-212 answers status with the eight keys and nothing else, and names nobody', async () => {
    const { code, value } = await json('status', '--min-workers', '0');
    expect(code).toBe(0);
    expect(Object.keys(value)).toEqual([
      'queued',
      'running',
      'dead_lettered',
      'expired_leases',
      'oldest_queue_wait_seconds',
      'unknown_queue_wait',
      'live_workers',
      'healthy',
    ]);
    await json('pause');
    const paused = await cli(['status', '--min-workers', '0', ...database]);
    await json('resume');
    expect(paused.stdout).toMatch(/Everything is paused since/);
    expect(paused.stdout).not.toContain(userInfo().username);
  }, 60_000);

  it('keeps a model key out of the file, the arguments and every answer', async () => {
    const key = 'sk-planted-0123456789abcdef';
    const words = [
      'connect',
      'local',
      '--base-url',
      'http://127.0.0.1:9/v1',
      '--model',
      'tiny',
      '--key-from',
      'PLANTED',
      '--json',
      ...database,
    ];
    const ended = await cli(words, { PLANTED: key });
    expect(ended.code).toBe(0);
    const failed = await cli(['run', 'hello', '--configuration', 'local', '--json', ...database]);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.json()).toMatchObject({ status: 'failed', endReason: 'provider_failed' });
    expect((failed.json() as { failure: string }).failure).toContain('127.0.0.1:9');
    const path = database[1] ?? '';
    for (const place of [
      ended.stdout,
      failed.stdout,
      failed.stderr,
      ...[path, `${path}-wal`, `${path}.log`].map(read),
    ]) {
      expect(place).not.toContain(key);
    }
  }, 60_000);
});

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

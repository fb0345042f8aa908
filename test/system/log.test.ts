import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileLog, LOG_LEVELS, type LogOptions, type Report } from '../../src-main/system/log.ts';
import { rotatedPaths } from '../../src-main/system/rotating-file.ts';

const RUN = '0190a3c4-0000-4000-8000-0123456789ab';
const SECRETS = ['sk-proj-Planted0123456789', 'hunter22', 'joe@example.org', 'PlantedBearer0123'];

describe('the log', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
    path = join(folder, 'countersign.db.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (changes: Partial<LogOptions> = {}): Report =>
    createFileLog({ path, level: 'info', nowMs: () => 1_700_000_000_000, ...changes });
  const textOf = (file = path): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const linesOf = (file = path): Record<string, unknown>[] =>
    textOf(file)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has one JSON line an entry, with its causes, its run and its time, for its owner only', () => {
    open()(new TypeError('outer\nline', { cause: new Error('inner') }), `step of run ${RUN}`);
    expect(linesOf()).toMatchObject([
      {
        level: 'error',
        at: '2023-11-14T22:13:20.000Z',
        pid: process.pid,
        where: `step of run ${RUN}`,
        runId: RUN,
        error: 'TypeError',
        message: 'outer\nline',
        cause: { error: 'Error', message: 'inner' },
      },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['silent', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
  ] as const)('keeps at level %s only %j', (level, kept) => {
    const report = open({ level });
    report(new Error('x'), 'a');
    report({ warning: 'x' }, 'a');
    report({ note: 'x' }, 'a');
    expect(linesOf().map((line) => line.level)).toEqual(kept);
  });

  it.each(LOG_LEVELS)('never holds a planted secret at level %s, wherever it stood', (level) => {
    const [key, password, mail, bearer] = SECRETS;
    const report = open({ level });
    const cause = Object.assign(new Error(`HTTP 400 {"api_key":"${password}"} for ${mail}`), {
      responseHeaders: SECRETS,
    });
    report(new Error(`cannot reach https://joe:${password}@host with ${key}`, { cause }), `model ${key}`);
    report({ warning: `Authorization: Bearer ${bearer}`, headers: { cookie: password }, [`${mail}`]: 1 }, mail ?? '');
    report({ note: key, deep: [{ text: mail }] }, 'a');
    report(`thrown ${key}`, 'a');
    for (const secret of SECRETS) expect(textOf()).not.toContain(secret);
  });

  it('tells of values that are no data, and of what goes round', () => {
    const cycle: Record<string, unknown> = { warning: 'cycle' };
    cycle.self = cycle;
    open()(cycle, 'a');
    open()({ warning: 'big', size: 1n }, 'a');
    expect(textOf()).toContain('Circular');
    expect(linesOf()).toHaveLength(2);
  });

  it('keeps a bounded number of bounded files, the newest entries in the newest', () => {
    const rotation = { maxBytes: 1_000, files: 3 };
    const report = open({ rotation });
    for (let number = 0; number < 100; number += 1) report({ warning: 'entry', number }, 'a');
    const { paths } = rotatedPaths(path, rotation);
    expect(paths.map((each) => statSync(each).size).every((size) => size > 0 && size <= 1_000)).toBe(true);
    expect(existsSync(`${path}.3`)).toBe(false);
    const numbers = paths.toReversed().flatMap((each) => linesOf(each).map((line) => line.number as number));
    expect(numbers).toEqual(numbers.map((_, index) => 100 - numbers.length + index));
    for (const each of paths) expect(statSync(each).mode & 0o777).toBe(0o600);
  });

  it('loses and mixes nothing when two processes write and rename at once', async () => {
    const each = 400;
    const rotation = { maxBytes: 5_000, files: 40 };
    const writers = ['one', 'two'].map((name) =>
      spawn(
        process.execPath,
        [join(import.meta.dirname, '..', 'support', 'write-log.ts'), path, name, String(each), '5000', '40'],
        { stdio: 'inherit' },
      ),
    );
    const codes = await Promise.all(writers.map(async (writer) => ((await once(writer, 'exit')) as [number])[0]));
    expect(codes).toEqual([0, 0]);
    const lines = rotatedPaths(path, rotation)
      .paths.toReversed()
      .flatMap((file) => linesOf(file));
    for (const name of ['one', 'two']) {
      const numbers = lines.filter((line) => line.where === name).map((line) => line.number as number);
      expect(numbers.toSorted((left, right) => left - right)).toEqual(
        Array.from({ length: each }, (_, index) => index),
      );
    }
  }, 60_000);

  it('says once where else it wrote, counts what it could not write, and tells when it can again', () => {
    const told: string[] = [];
    mkdirSync(path);
    const report = open({ lastResort: (text) => told.push(text) });
    for (const number of [1, 2, 3]) report({ warning: 'entry', number }, 'a');
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"number":1.*\n.*cannot be written: Error: EISDIR/);
    rmdirSync(path);
    report({ warning: 'entry', number: 4 }, 'a');
    expect(linesOf()).toMatchObject([{ where: 'log', entries: 3 }, { number: 4 }]);
  });
});

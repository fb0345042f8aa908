import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../src-main/domain/tool.ts';
import { probeAliveLock } from '../../src-main/system/alive-lock.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { type ChildLike, type ForkChild, forkNodeChild } from '../../src-main/tools/child-channel.ts';
import {
  ProcessToolRunner,
  type ProcessToolRunnerOptions,
  type ToolFault,
} from '../../src-main/tools/process-tool-runner.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';
import { type Place, makePlace, withFile } from '../support/tool-fixtures.ts';

const ENTRY = join(import.meta.dirname, '../../src-main/tool-child.ts');
const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
/** A trigger that keeps an update busy for about a second. */
const SLOW = `
  create table pages (id integer primary key, title text);
  create table page_log (page integer, rows integer);
  insert into pages values (42, 'old');
  create trigger slow after update on pages begin
    insert into page_log select new.id, count(*) from
      (with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000000) select i from n);
  end;`;

const runners: ProcessToolRunner[] = [];
const parents: ChildProcess[] = [];

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  await Promise.all(runners.splice(0).map((runner) => runner.close()));
});

function aliveDirOf(place: Place): string {
  const folder = join(place.folder, 'workers');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function makeRunner(
  place: Place,
  options: Partial<ProcessToolRunnerOptions> = {},
): { runner: ProcessToolRunner; faults: ToolFault[]; aliveDir: string } {
  const faults: ToolFault[] = [];
  const aliveDir = aliveDirOf(place);
  const runner = new ProcessToolRunner({
    forkChild: forkNodeChild(ENTRY),
    aliveDir,
    workerId: 'w1',
    catalogue: buildRegistry(BUILTIN_TOOLS),
    report: (fault) => void faults.push(fault),
    ...options,
  });
  runners.push(runner);
  return { runner, faults, aliveDir };
}

const call = (name: string, args: ToolCall['arguments']): ToolCall => ({ id: 'c1', name, arguments: args });
const query = (sql: string): ToolCall => call('query_records', { database: 'site', sql });
const update = call('update_record', { database: 'site', table: 'pages', key: { id: 42 }, values: { title: 'new' } });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Until the process is gone with all its threads: before that its children still see it as their parent. */
async function kill(parent: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGKILL');
  await gone;
}

/** A zombie counts as gone, although threads of it may hold its files for another moment: locks are asked for by themselves. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('ProcessToolRunner', () => {
  it('R-134 makes the questions of a turn in a child, and leaves out what cannot be asked', async () => {
    const { runner, faults } = makeRunner(makePlace());
    const asking = (id: string, options: string[]): ToolCall => ({
      ...call('ask_choice', { question: 'Which one?', options }),
      id,
    });
    expect(await runner.askTurn([asking('bad', ['a', 'A']), asking('good', ['a', 'b'])])).toEqual([
      {
        callId: 'good',
        toolName: 'ask_choice',
        schema: {
          type: 'object',
          title: 'Which one?',
          properties: { answer: { type: 'string', enum: ['a', 'b'] } },
          required: ['answer'],
        },
      },
    ]);
    expect(faults).toMatchObject([{ toolName: 'ask_choice', name: 'QuestionUnclear' }]);
    await runner.close();
  });

  it('plans and executes in a child that proves its life, and leaves nothing behind', async () => {
    const place = makePlace(
      "create table pages (id integer primary key, title text); insert into pages values (42, 'old')",
    );
    const { runner, aliveDir } = makeRunner(place);
    const [planned] = await runner.planTurn([update], place.context);
    expect(planned?.preview).toMatchObject({
      kind: 'record',
      changes: [{ field: 'title', before: 'old', after: 'new' }],
    });
    expect(readdirSync(aliveDir)).toEqual(['w1.child-1.alive']);
    expect(probeAliveLock(join(aliveDir, 'w1.child-1.alive'))).toBe('held');
    expect(await runner.execute(update, place.context, planned?.footprint ?? null)).toMatchObject({ outcome: 'ok' });
    expect(readdirSync(aliveDir)).toEqual(['w1.child-1.alive']);
    await runner.close();
    expect(readdirSync(aliveDir)).toEqual([]);
    expect(await runner.execute(query('select 1'), place.context, null)).toMatchObject({ outcome: 'failed' });
  });

  it('kills an endless query at the default deadline of 5 seconds', async () => {
    const place = makePlace();
    const { runner } = makeRunner(place);
    await runner.execute(query('select 1'), place.context, null);
    const startedAt = performance.now();
    const result = await runner.execute(query(ENDLESS), place.context, null);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(result).toEqual({
      outcome: 'failed',
      content: 'The tool query_records did not finish within 5 seconds and was stopped.',
      write: null,
      isCutOff: true,
    });
    expect(seconds).toBeGreaterThan(4.9);
    expect(seconds).toBeLessThan(7);
  });

  it('works on while one child hangs, and starts a new one after a kill', async () => {
    const place = makePlace();
    const { runner, aliveDir } = makeRunner(place, { readDeadlineMs: 1_500 });
    const endless = runner.execute(query(ENDLESS), place.context, null);
    const others = await Promise.all(
      [1, 2, 3].map((number) => runner.execute(query(`select ${number}`), place.context, null)),
    );
    expect(others.map((each) => each.outcome)).toEqual(['ok', 'ok', 'ok']);
    expect((await endless).outcome).toBe('failed');
    expect(await runner.execute(query('select 4'), place.context, null)).toMatchObject({ outcome: 'ok' });
    expect(readdirSync(aliveDir).length).toBeLessThanOrEqual(2);
  });

  it('stops on abort: running, waiting and before the start', async () => {
    const place = makePlace();
    const { runner } = makeRunner(place, { maxChildren: 1 });
    const controller = new AbortController();
    const running = runner.execute(query(ENDLESS), place.context, null, controller.signal);
    const waiting = runner.planTurn([update], place.context, controller.signal);
    setTimeout(() => controller.abort(), 700);
    expect(await running).toMatchObject({ outcome: 'cancelled', write: null });
    expect((await waiting)[0]).toMatchObject({
      preview: { kind: 'failed', reason: 'The preview was stopped.' },
      footprint: null,
    });
    expect(await runner.execute(query('select 1'), place.context, null, controller.signal)).toMatchObject({
      outcome: 'cancelled',
    });
  });

  it('says of a write that was cut off that nobody knows, and the file is as before', async () => {
    const place = makePlace(SLOW);
    const { runner } = makeRunner(place, { writeDeadlineMs: 150 });
    const [planned] = await runner.planTurn([update], place.context);
    const result = await runner.execute(update, place.context, planned?.footprint ?? null);
    expect(result).toMatchObject({ outcome: 'failed', write: null, isUncertain: true });
    const [again] = await runner.planTurn([update], place.context);
    expect(again?.footprint).toEqual(planned?.footprint);
  });

  it('T-48 takes the result of a call whose deadline passed while this process was stopped', async () => {
    const place = makePlace();
    const { runner } = makeRunner(place, { readDeadlineMs: 2_000 });
    await runner.execute(query('select 1'), place.context, null);
    const running = runner.execute(query('select 2'), place.context, null);
    // Nothing of this process goes on meanwhile, as when the machine sleeps; the child answers.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
    expect(await running).toMatchObject({ outcome: 'ok' });
  });

  it('refuses messages beyond the limit and children that talk nonsense', async () => {
    const place = makePlace();
    const { runner } = makeRunner(place);
    const huge = call('write_file', { workspace: 'site', path: 'a', content: 'x'.repeat(65 * 1024 * 1024) });
    expect((await runner.execute(huge, place.context, { before: 'x', after: null })).content).toContain('too large');
    for (const nonsense of [
      null,
      { kind: 'result', id: 1 },
      { kind: 'result', id: 99, result: { outcome: 'ok', content: '', write: null } },
    ]) {
      const fake = makeRunner(place, { forkChild: fakeChild(nonsense) }).runner;
      expect(await fake.execute(query('select 1'), place.context, null)).toMatchObject({
        outcome: 'failed',
        content: expect.stringContaining('ended unexpectedly'),
      });
    }
  });

  it('carries a preview of several megabytes', async () => {
    const place = makePlace();
    const { runner } = makeRunner(place);
    const content = 'a line of the new file\n'.repeat(200_000);
    const [planned] = await runner.planTurn(
      [call('write_file', { workspace: 'site', path: 'a', content })],
      place.context,
    );
    expect(planned?.preview).toMatchObject({ kind: 'file', sizeBytesAfter: content.length });
  });

  it('gives up on children that never start', async () => {
    const place = makePlace();
    const entry = join(place.folder, 'quits.mjs');
    writeFileSync(entry, 'process.exit(3);');
    const { runner } = makeRunner(place, { forkChild: forkNodeChild(entry) });
    expect((await runner.execute(query('select 1'), place.context, null)).content).toContain('could not be started');
  });

  it('R-127 hands the full error of a tool to the log', async () => {
    const place = makePlace('create table t (a)');
    const { runner, faults } = makeRunner(place);
    const result = await runner.execute(
      query('select 1'),
      { ...place.context, databases: [{ name: 'site', path: `/${'x/'.repeat(3_000)}` }] },
      null,
    );
    expect(result.content).toBe('The tool query_records failed.');
    expect(faults).toMatchObject([{ toolName: 'query_records', message: expect.stringContaining('ENAMETOOLONG') }]);
  });
});

function fakeChild(nonsense: unknown): ForkChild {
  return () => {
    let onMessage: (message: unknown) => void = () => undefined;
    let onExit: (code: number | null) => void = () => undefined;
    const child: ChildLike = {
      send: () => setImmediate(() => onMessage(nonsense)),
      onMessage: (listener) => {
        onMessage = listener;
        setImmediate(() => listener({ kind: 'ready' }));
      },
      onExit: (listener) => {
        onExit = listener;
      },
      kill: () => setImmediate(() => onExit(null)),
    };
    return child;
  };
}

describe.runIf(process.platform === 'linux')('death of the worker', () => {
  async function startParent(
    place: Place,
  ): Promise<{ parent: ChildProcess; childPid: number; alive: string; said: () => string }> {
    const aliveDir = aliveDirOf(place);
    const script = join(import.meta.dirname, '../support/tool-parent.ts');
    const parent = spawn(
      process.execPath,
      [script, ENTRY, aliveDir, JSON.stringify(place.context), JSON.stringify(update)],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    parents.push(parent);
    let output = '';
    parent.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => output.includes('planned'));
    const pid = parent.pid ?? 0;
    const childPid = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    return { parent, childPid, alive: join(aliveDir, 'worker-1.child-1.alive'), said: () => output };
  }

  it('a write that runs finishes under the proof of life, which is free only when nothing can happen any more', async () => {
    const place = makePlace(SLOW);
    const { parent, childPid, alive, said } = await startParent(place);
    parent.stdin?.write('go\n');
    await until(() => said().includes('sent'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await kill(parent);
    expect(isRunning(childPid)).toBe(true);
    expect(probeAliveLock(alive)).toBe('held');
    await until(() => probeAliveLock(alive) === 'free');
    const rows = withFile(place.databasePath, (connection) =>
      connection.prepare('select title, (select count(*) from page_log) from pages').raw().all(),
    );
    expect(rows).toEqual([['new', 1]]);
    await until(() => !isRunning(childPid));
  });

  it('a write that was sent but not begun never starts', async () => {
    const place = makePlace(SLOW);
    const { parent, childPid, alive, said } = await startParent(place);
    process.kill(childPid, 'SIGSTOP');
    parent.stdin?.write('go\n');
    await until(() => said().includes('sent'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await kill(parent);
    expect(probeAliveLock(alive)).toBe('held');
    process.kill(childPid, 'SIGCONT');
    await until(() => !isRunning(childPid));
    await until(() => probeAliveLock(alive) === 'free');
    const rows = withFile(place.databasePath, (connection) =>
      connection.prepare('select title, (select count(*) from page_log) from pages').raw().all(),
    );
    expect(rows).toEqual([['old', 0]]);
  });

  it('an idle child ends by itself', async () => {
    const place = makePlace(SLOW);
    const { parent, childPid, alive } = await startParent(place);
    await kill(parent);
    await until(() => !isRunning(childPid));
    await until(() => probeAliveLock(alive) === 'free');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReaderThread, type ReaderThread } from '../../src-main/system/reader-thread.ts';

const PARENT = import.meta.resolve('../../src-main/system/thread-parent.ts');

describe('a reader thread', () => {
  let folder: string;
  const threads: ReaderThread<string, string>[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-thread-'));
  });
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Threads that run this body for each question. */
  function threadOf(body: string, limitMs = 10_000): ReaderThread<string, string> {
    const script = join(folder, 'thread.ts');
    writeFileSync(
      script,
      `import { answerQuestions, threadParent } from ${JSON.stringify(PARENT)};
       const { databasePath, isWanted } = threadParent();
       answerQuestions((question: string) => { ${body} });`,
    );
    const thread = createReaderThread<string, string>(script, '/some/file.db', limitMs);
    threads.push(thread);
    return thread;
  }

  it('answers each question to who asked it', async () => {
    const thread = threadOf('return `${question} in ${databasePath}`;');
    const answers = await Promise.all(['one', 'two', 'three'].map((question) => thread.ask(question)));
    expect(answers).toEqual(['one', 'two', 'three'].map((question) => `${question} in /some/file.db`));
  });

  it('says what went wrong, and answers the next question', async () => {
    const thread = threadOf(`if (question === 'bad') throw new Error('no such table'); return 'fine';`);
    await expect(thread.ask('bad')).rejects.toThrow('no such table');
    expect(await thread.ask('good')).toBe('fine');
  });

  it('is a fault for everybody who waits when it dies, and a new one answers then', async () => {
    const thread = threadOf(`if (question === 'die') process.exit(3); return 'alive';`);
    const asked = ['die', 'behind it'].map((question) => thread.ask(question));
    for (const each of asked) await expect(each).rejects.toThrow('ended');
    expect(await thread.ask('again')).toBe('alive');
  });

  it('is stopped in the middle of its work when somebody has waited long enough, and a new one answers then', async () => {
    const thread = threadOf(`while (question === 'forever' && isWanted()); return 'done';`, 1_000);
    await expect(thread.ask('forever')).rejects.toThrow('longer than 1000 ms');
    expect(await thread.ask('short')).toBe('done');
  });

  it('is a fault, not silence, when it cannot be started or is closed over a question', async () => {
    const missing = createReaderThread<string, string>(join(folder, 'nowhere.ts'), '', 10_000);
    await expect(missing.ask('anything')).rejects.toThrow();
    const closed = threadOf('while (isWanted()); return "";');
    const asked = closed.ask('anything');
    const told = expect(asked).rejects.toThrow('closed');
    await closed.close();
    await told;
  });
});

import { Worker } from 'node:worker_threads';

/** What a thread is started with. */
export interface ThreadStart {
  databasePath: string;
  /** One shared number: not 0 = nobody waits any more for what the thread does. */
  unwanted: SharedArrayBuffer;
}

export interface Asked<Question> {
  id: number;
  question: Question;
}

/** `problem` is a sentence for a log; never what was asked. */
export type Answered<Answer> = { id: number; answer: Answer } | { id: number; problem: string };

/** A thread that answers one question after the other. */
export interface ReaderThread<Question, Answer> {
  /** Faults: what the thread says, its end, or that it took too long. */
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A thread of this process, started from `script` with its first question and again after it was stopped. Who asks
 * waits at most `limitMs`; then the thread is told that nobody waits, which ends what SQLite does, and stopped.
 * It keeps a process alive only while somebody waits.
 */
export function createReaderThread<Question, Answer>(
  script: string,
  databasePath: string,
  limitMs: number,
): ReaderThread<Question, Answer> {
  let running: RunningThread<Question, Answer> | null = null;
  return {
    ask(question) {
      if (!running?.isUsable()) running = new RunningThread(script, databasePath);
      return running.ask(question, limitMs);
    },
    async close() {
      await running?.stop('it was closed.');
    },
  };
}

class RunningThread<Question, Answer> {
  readonly #worker: Worker;
  readonly #unwanted = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #lastId = 0;
  #isOver = false;

  constructor(script: string, databasePath: string) {
    const workerData: ThreadStart = { databasePath, unwanted: this.#unwanted };
    this.#worker = new Worker(script, { workerData, execArgv: [] });
    this.#worker.on('message', (answered: Answered<Answer>) => this.#settle(answered));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error.message : 'it broke.'));
    this.#worker.on('exit', () => this.#end('its thread ended.'));
    this.#worker.unref();
  }

  isUsable(): boolean {
    return !this.#isOver;
  }

  ask(question: Question, limitMs: number): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => void this.stop(`it took longer than ${limitMs} ms.`), limitMs);
      const settled = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#worker.unref();
      };
      this.#waiting.set(id, {
        resolve(answer) {
          settled();
          resolve(answer);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      this.#worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: there is no origin
      this.#worker.postMessage({ id, question } satisfies Asked<Question>);
    });
  }

  async stop(reason: string): Promise<void> {
    Atomics.store(new Int32Array(this.#unwanted), 0, 1);
    this.#end(reason);
    await this.#worker.terminate();
  }

  #settle(answered: Answered<Answer>): void {
    const waiting = this.#waiting.get(answered.id);
    if ('answer' in answered) waiting?.resolve(answered.answer);
    else waiting?.reject(new Error(answered.problem));
  }

  #end(reason: string): void {
    this.#isOver = true;
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason));
  }
}

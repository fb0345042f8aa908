import { parentPort, workerData } from 'node:worker_threads';
import type { Answered, Asked, ThreadStart } from './reader-thread.ts';

/** The other end of a reader thread, inside it. */
export interface ThreadParent {
  databasePath: string;
  /** Whether somebody still waits for what this thread does; may be asked in the middle of a query. */
  isWanted(): boolean;
}

/** Faults: when this process was not started as such a thread. */
export function threadParent(): ThreadParent {
  const { databasePath, unwanted } = workerData as ThreadStart;
  const flag = new Int32Array(unwanted);
  return { databasePath, isWanted: () => Atomics.load(flag, 0) === 0 };
}

/** Answers one question after the other, for as long as the thread lives. What `answer` throws is told as a problem. */
export function answerQuestions(answer: (question: never) => unknown): void {
  parentPort?.on('message', ({ id, question }: Asked<never>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: there is no origin
    parentPort?.postMessage(answered(id, () => answer(question)));
  });
}

function answered(id: number, answer: () => unknown): Answered<unknown> {
  try {
    return { id, answer: answer() };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : 'it broke.' };
  }
}

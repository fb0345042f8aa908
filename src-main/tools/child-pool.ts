import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildLike, ForkChild } from './child-channel.ts';
import { MAX_MESSAGE_LENGTH, type ToolReply, type ToolRequest, isToolReply } from './tool-protocol.ts';

/** How long a child may take to hold its proof of life and say so, in milliseconds. */
const START_LIMIT_MS = 15_000;
/** How long a killed child may take to be gone before we stop waiting for it, in milliseconds. Longer only in a hanging disk call. */
const KILL_LIMIT_MS = 5_000;
/** A timer that is late by more than this did not have a running process under it. */
const LATE_MS = 1_000;
/** Starts that may fail in a row before the waiting jobs are told. */
const MAX_FAILED_STARTS = 3;

/**
 * How a job ended. `done` = the last reply came; `deadline`, `aborted` and `died` after
 * it was sent mean that its process was ended and is gone; `unavailable` = it never ran.
 */
export type JobEnd = 'done' | 'deadline' | 'aborted' | 'died' | 'too-large' | 'unavailable';

/** One request for a child, without its number. */
export type JobRequest = {
  [K in ToolRequest['kind']]: Omit<Extract<ToolRequest, { kind: K }>, 'id'>;
}[ToolRequest['kind']];

/** What a pool needs to know; times in milliseconds. */
export interface PoolOptions {
  forkChild: ForkChild;
  /** Folder for the proofs of life; exists. */
  aliveDir: string;
  workerId: string;
  maxChildren: number;
}

interface Job {
  request: JobRequest;
  deadlineMs: number;
  /** Takes a reply; true = it was the last one. */
  onReply(reply: ToolReply): boolean;
  end(end: JobEnd, wasSent: boolean): void;
}

interface PoolChild {
  channel: ChildLike;
  aliveFile: string;
  isReady: boolean;
  isGone: boolean;
  job: Job | null;
  jobId: number;
  /** Why it was killed, told when it is gone. */
  ending: JobEnd;
  timer: NodeJS.Timeout | undefined;
  killTimer: NodeJS.Timeout | undefined;
}

/**
 * Keeps up to `maxChildren` tool children and gives each one job at a time, first
 * come first served. Sends nothing before a child said `ready`; a child that misses
 * a deadline, is aborted or talks nonsense is killed, and its job ends when it is gone.
 */
export class ChildPool {
  readonly #options: PoolOptions;
  readonly #children = new Set<PoolChild>();
  readonly #waiting: Job[] = [];
  #childCount = 0;
  #jobCount = 0;
  #failedStarts = 0;
  #isClosed = false;
  #whenEmpty: (() => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs one job; the second value says whether a child ever saw it. Never throws. */
  run(
    request: JobRequest,
    deadlineMs: number,
    onReply: (reply: ToolReply) => boolean,
    signal?: AbortSignal,
  ): Promise<{ end: JobEnd; wasSent: boolean }> {
    return new Promise((resolve) => {
      const abort = (): void => this.#abort(job);
      const job: Job = {
        request,
        deadlineMs,
        onReply,
        end: (end, wasSent) => {
          signal?.removeEventListener('abort', abort);
          resolve({ end, wasSent });
        },
      };
      if (this.#isClosed) return job.end('unavailable', false);
      if (signal?.aborted) return job.end('aborted', false);
      if (JSON.stringify(request).length > MAX_MESSAGE_LENGTH) return job.end('too-large', false);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(job);
      this.#assign();
    });
  }

  /** Ends all children and waits until they are gone. Jobs that wait or run are told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.end('unavailable', false);
    for (const child of this.#children) this.#kill(child, 'died');
    if (this.#children.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  #abort(job: Job): void {
    const at = this.#waiting.indexOf(job);
    if (at !== -1) {
      this.#waiting.splice(at, 1);
      job.end('aborted', false);
      return;
    }
    for (const child of this.#children) if (child.job === job) this.#kill(child, 'aborted');
  }

  #assign(): void {
    for (const child of this.#children) {
      if (child.isReady && !child.isGone && !child.job && child.killTimer === undefined) {
        const job = this.#waiting.shift();
        if (!job) return;
        this.#send(child, job);
      }
    }
    const starting = [...this.#children].filter((child) => !child.isReady).length;
    const wanted = Math.min(this.#waiting.length - starting, this.#options.maxChildren - this.#children.size);
    for (let count = 0; count < wanted; count += 1) this.#start();
  }

  #send(child: PoolChild, job: Job): void {
    this.#jobCount += 1;
    child.job = job;
    child.jobId = this.#jobCount;
    this.#limit(child, job.deadlineMs);
    try {
      child.channel.send({ ...job.request, id: child.jobId });
    } catch {
      // The channel closed a moment ago; `exit` follows, and a killed child started nothing new.
      this.#kill(child, 'died');
    }
  }

  /**
   * Kills a child whose job takes too long. A timer that comes much too late says nothing about the job: the machine slept or
   * this process was stopped, most often the child with it, and its answer may lie in the channel. The job gets its time again.
   * Source: T-48.
   */
  #limit(child: PoolChild, deadlineMs: number): void {
    const dueMs = performance.now() + deadlineMs;
    child.timer = setTimeout(() => {
      if (performance.now() - dueMs > LATE_MS) this.#limit(child, deadlineMs);
      else this.#kill(child, 'deadline');
    }, deadlineMs);
  }

  #start(): void {
    this.#childCount += 1;
    const { aliveDir, workerId, forkChild } = this.#options;
    const aliveFile = join(aliveDir, `${workerId}.child-${this.#childCount}.alive`);
    const child: PoolChild = {
      channel: forkChild(aliveFile),
      aliveFile,
      isReady: false,
      isGone: false,
      job: null,
      jobId: 0,
      ending: 'died',
      timer: undefined,
      killTimer: undefined,
    };
    this.#children.add(child);
    child.timer = setTimeout(() => this.#kill(child, 'died'), START_LIMIT_MS);
    child.channel.onMessage((message) => this.#receive(child, message));
    child.channel.onExit(() => this.#gone(child));
  }

  #receive(child: PoolChild, message: unknown): void {
    if (child.isGone || child.killTimer !== undefined) return;
    if (!isToolReply(message)) return this.#kill(child, 'died');
    if (message.kind === 'ready') {
      if (child.isReady) return this.#kill(child, 'died');
      clearTimeout(child.timer);
      child.isReady = true;
      this.#failedStarts = 0;
      return this.#assign();
    }
    const { job } = child;
    if (!job || message.id !== child.jobId) return this.#kill(child, 'died');
    if (!job.onReply(message)) return;
    clearTimeout(child.timer);
    child.job = null;
    job.end('done', true);
    this.#assign();
  }

  #kill(child: PoolChild, ending: JobEnd): void {
    if (child.isGone || child.killTimer !== undefined) return;
    child.ending = ending;
    clearTimeout(child.timer);
    child.killTimer = setTimeout(() => this.#gone(child), KILL_LIMIT_MS);
    child.channel.kill();
  }

  #gone(child: PoolChild): void {
    if (child.isGone) return;
    child.isGone = true;
    clearTimeout(child.timer);
    clearTimeout(child.killTimer);
    this.#children.delete(child);
    // It is dead, so nobody will ask for its proof of life again.
    rmSync(child.aliveFile, { force: true });
    child.job?.end(child.ending, true);
    child.job = null;
    if (!child.isReady) this.#countFailedStart();
    if (this.#children.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
    if (!this.#isClosed) this.#assign();
  }

  #countFailedStart(): void {
    this.#failedStarts += 1;
    if (this.#failedStarts < MAX_FAILED_STARTS) return;
    this.#failedStarts = 0;
    for (const job of this.#waiting.splice(0)) job.end('unavailable', false);
  }
}

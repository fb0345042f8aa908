import type { CallPreview, Footprint } from '../../src-shared/preview.ts';
import type { CallQuestion, ToolCall, ToolCatalogue, ToolContext, ToolResult, ToolRunner } from '../domain/tool.ts';
import type { ForkChild } from './child-channel.ts';
import { ChildPool, type JobEnd } from './child-pool.ts';
import type { ToolReply } from './tool-protocol.ts';

/** The full error of a tool, for the log only. */
export interface ToolFault {
  toolName: string;
  name: string;
  message: string;
  stack: string;
}

/** How a runner works; times in milliseconds. */
export interface ProcessToolRunnerOptions {
  forkChild: ForkChild;
  /** Folder for the proofs of life of the children; exists. */
  aliveDir: string;
  workerId: string;
  /** Tells reads from writes: a write that was cut off may have happened. */
  catalogue: ToolCatalogue;
  /** Takes the full error of a tool for the log. */
  report(fault: ToolFault): void;
  /** Children kept at most. Default 2. */
  maxChildren?: number;
  /** For a read, and for all previews of a turn together. Default 5 000. */
  readDeadlineMs?: number;
  /** For a write. Default 30 000. */
  writeDeadlineMs?: number;
}

/**
 * Runs tools in child processes that are killed when they exceed their deadline or
 * the caller aborts. A thread could not do it: an endless SQL query does not stop
 * for anything but the end of its process. Never throws for what a tool does.
 * Source: architecture.md §2 "Tools that may block", runtime.md §11.6.
 */
export class ProcessToolRunner implements ToolRunner {
  readonly #pool: ChildPool;
  readonly #catalogue: ToolCatalogue;
  readonly #report: (fault: ToolFault) => void;
  readonly #readDeadlineMs: number;
  readonly #writeDeadlineMs: number;

  constructor(options: ProcessToolRunnerOptions) {
    const { forkChild, aliveDir, workerId, maxChildren = 2 } = options;
    this.#pool = new ChildPool({ forkChild, aliveDir, workerId, maxChildren });
    this.#catalogue = options.catalogue;
    this.#report = options.report;
    this.#readDeadlineMs = options.readDeadlineMs ?? 5_000;
    this.#writeDeadlineMs = options.writeDeadlineMs ?? 30_000;
  }

  async planTurn(calls: ToolCall[], context: ToolContext, signal?: AbortSignal): Promise<CallPreview[]> {
    if (calls.length === 0) return [];
    const previews: CallPreview[] = [];
    const { end } = await this.#pool.run(
      { kind: 'plan', calls, context },
      this.#readDeadlineMs,
      (reply) => {
        this.#reportFault(reply);
        // An answer for another call than the next one is dropped; that call then counts as unanswered.
        if (reply.kind === 'preview' && reply.preview.callId === calls[previews.length]?.id)
          previews.push(reply.preview);
        return reply.kind === 'planned';
      },
      signal,
    );
    const reason = this.#whyNoPreview(end);
    const missing = calls.slice(previews.length).map((call) => ({
      callId: call.id,
      toolName: call.name,
      preview: { kind: 'failed' as const, reason },
      target: null,
      footprint: null,
    }));
    return [...previews, ...missing];
  }

  async askTurn(calls: ToolCall[], signal?: AbortSignal): Promise<CallQuestion[]> {
    let questions: CallQuestion[] = [];
    await this.#pool.run(
      { kind: 'ask', calls },
      this.#readDeadlineMs,
      (reply) => {
        this.#reportFault(reply);
        if (reply.kind === 'questions') questions = reply.questions as CallQuestion[];
        return reply.kind === 'questions';
      },
      signal,
    );
    // An answer for a call that nobody asked about is dropped.
    return questions.filter(({ callId, toolName }) =>
      calls.some((call) => call.id === callId && call.name === toolName),
    );
  }

  async execute(
    call: ToolCall,
    context: ToolContext,
    expected: Footprint | null,
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    const isWrite = this.#catalogue.get(call.name)?.effect !== 'read_only';
    const deadlineMs = isWrite ? this.#writeDeadlineMs : this.#readDeadlineMs;
    let result: ToolResult | null = null;
    const { end, wasSent } = await this.#pool.run(
      { kind: 'execute', call, context, expected },
      deadlineMs,
      (reply) => {
        this.#reportFault(reply);
        if (reply.kind === 'result') result = reply.result;
        return reply.kind === 'result';
      },
      signal,
    );
    return result ?? cutOff(call.name, end, deadlineMs, isWrite && wasSent);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #reportFault(reply: ToolReply): void {
    if (reply.kind !== 'fault') return;
    const { toolName, name, message, stack } = reply;
    this.#report({ toolName, name, message, stack });
  }

  #whyNoPreview(end: JobEnd): string {
    switch (end) {
      case 'deadline':
        return `The preview did not finish within ${this.#readDeadlineMs / 1000} seconds and was stopped.`;
      case 'aborted':
        return 'The preview was stopped.';
      case 'too-large':
        return 'The calls are too large to be previewed.';
      case 'unavailable':
        return 'The process for tools could not be started.';
      case 'died':
      case 'done':
        return 'The process that makes previews ended unexpectedly.';
    }
  }
}

/** The result of a call whose process gave none. */
function cutOff(name: string, end: JobEnd, deadlineMs: number, isUncertain: boolean): ToolResult {
  const doubt = isUncertain
    ? ' Whether its change was made is not known yet; read the target before trying again.'
    : '';
  return {
    outcome: end === 'aborted' ? 'cancelled' : 'failed',
    content: whyNoResult(name, end, deadlineMs) + doubt,
    write: null,
    ...(isUncertain ? { isUncertain } : {}),
    ...(end === 'died' || end === 'deadline' || end === 'unavailable' ? { isCutOff: true } : {}),
  };
}

function whyNoResult(name: string, end: JobEnd, deadlineMs: number): string {
  switch (end) {
    case 'deadline':
      return `The tool ${name} did not finish within ${deadlineMs / 1000} seconds and was stopped.`;
    case 'aborted':
      return `The tool ${name} was stopped because the run was cancelled.`;
    case 'too-large':
      return `The arguments of ${name} are too large.`;
    case 'unavailable':
      return `The tool ${name} was not run: the process for tools could not be started.`;
    case 'died':
    case 'done':
      return `The tool ${name} failed: its process ended unexpectedly.`;
  }
}

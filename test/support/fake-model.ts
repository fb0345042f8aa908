import type { ModelClient, ModelPart, ModelRequest, RequestedCall } from '../../src-main/domain/model-client.ts';

/** One answer as a test writes it. */
export interface Turn {
  text?: string;
  thinking?: string;
  calls?: RequestedCall[];
  inputTokens?: number | null;
  outputTokens?: number | null;
  costMicros?: number | null;
  finishReason?: string;
}
type Played = Turn | Error;
/** What is played for one request; a function sees the request and the signal and may wait. */
export type Scripted = Played | ((request: ModelRequest, signal: AbortSignal) => Played | Promise<Played>);

/** A model that plays a list of turns, or asks one function for each. Faults: when it is asked once too often. */
export interface FakeModel extends ModelClient {
  /** Every request, as it was at that moment. */
  requests: ModelRequest[];
}

export function createFakeModel(script: Scripted[] | Extract<Scripted, (...args: never[]) => unknown>): FakeModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *complete(request, signal) {
      signal.throwIfAborted();
      const scripted = typeof script === 'function' ? script : script[requests.length];
      requests.push(structuredClone(request));
      if (!scripted) throw new Error(`The model was asked ${requests.length} times; the test expects fewer.`);
      const turn = typeof scripted === 'function' ? await interruptible(scripted(request, signal), signal) : scripted;
      if (turn instanceof Error) throw turn;
      yield* partsOf(turn);
    },
  };
}

function* partsOf(turn: Turn): Generator<ModelPart> {
  if (turn.thinking) yield { type: 'thinking', text: turn.thinking };
  if (turn.text) yield { type: 'text', text: turn.text };
  for (const requested of turn.calls ?? []) yield { type: 'call', call: requested };
  yield {
    type: 'finish',
    reason: turn.finishReason ?? 'stop',
    inputTokens: turn.inputTokens ?? null,
    outputTokens: turn.outputTokens ?? null,
    costMicros: turn.costMicros ?? null,
  };
}

async function interruptible<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A call as a model sends it. The id is the tool's name unless given. */
export const call = (name: string, args: unknown, id = name): RequestedCall => ({
  id,
  name,
  argumentsText: JSON.stringify(args),
});

/** Something a test holds closed: `reached` resolves when somebody waits, `open` lets them go on. */
export function createGate(): { wait(): Promise<void>; reached: Promise<void>; open(): void } {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  return {
    wait() {
      arrive();
      return opened;
    },
    reached,
    open: () => open(),
  };
}

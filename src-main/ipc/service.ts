/*
 * The host's one door: every call of every transport comes through `call`, every
 * topic leaves through `onTopic`. A transport says who may knock; this says what may
 * be asked. Handlers behind it see only input that fits the contract.
 */
import { CONTRACT, isCallName, type CallName, type Handlers, type TopicName } from '../../src-shared/ipc/contract.ts';
import type { Fault, Reply } from '../../src-shared/ipc/entry.ts';
import type { Result } from '../../src-shared/refusals.ts';
import type { Report } from '../system/log.ts';
import { createValidators } from './validators.ts';

export type TopicListener = (name: TopicName, payload: unknown) => void;

/** What a transport works with. Neither function ever rejects or throws for what a caller sent. */
export interface Service {
  call(name: string, input: unknown): Promise<Reply>;
  /** Tells the listener until the returned function is called. */
  onTopic(listener: TopicListener): () => void;
}

export interface ServiceOptions {
  handlers: Handlers;
  topics: { onTopic(listener: TopicListener): () => void };
  report: Report;
  /** Short text that finds a fault in the log. */
  newReference(): string;
}

/**
 * Makes the door. Input is judged always, output and refusals too: a handler that
 * answers outside the contract is a fault of ours and not passed on. What is written
 * to the log names the entry and our own rule, never anything that was sent: it may
 * be a key.
 * Source: architecture.md §9.
 */
export function createService({ handlers, topics, report, newReference }: ServiceOptions): Service {
  const validators = createValidators();

  const fault = (code: Fault['code'], facts: object | Error, where: string): Reply => {
    const reference = newReference();
    report(facts instanceof Error ? facts : { warning: code, ...facts }, `${where} [${reference}]`);
    return { ok: false, fault: { code, reference } };
  };

  const answer = async (name: CallName, input: unknown): Promise<Reply> => {
    const entry = CONTRACT[name];
    // Typed per name in `Handlers`; the validator has just proved that this input is that name's.
    const outcome: unknown = await handlers[name](input as never);
    const result = entry.kind === 'command' ? (outcome as Result<unknown>) : { ok: true as const, value: outcome };
    if (!result.ok) {
      const isListed = entry.kind === 'command' && (entry.refusals as readonly string[]).includes(result.refusal.kind);
      if (!isListed)
        return fault('internal', { problem: `refusal ${result.refusal.kind} is not in the contract` }, name);
      return { ok: false, refusal: result.refusal };
    }
    const problem = validators.output(name, result.value);
    return problem === null
      ? { ok: true, value: result.value }
      : fault('internal', { problem: `output ${problem}` }, name);
  };

  return {
    async call(name, input) {
      if (typeof name !== 'string' || !isCallName(name)) return fault('unknown_channel', {}, 'channel');
      const problem = validators.input(name, input);
      if (problem !== null) return fault('bad_input', { problem }, name);
      try {
        return await answer(name, input);
      } catch (error) {
        return fault('internal', error instanceof Error ? error : new Error('Something else was thrown.'), name);
      }
    },
    onTopic: (listener) => topics.onTopic(listener),
  };
}

import type { TSchema } from 'typebox';
import { Check, Create } from 'typebox/value';
import {
  CONTRACT,
  type CallName,
  type Client,
  type CommandAnswer,
  type CommandName,
  type InputOf,
  type OutputOf,
  type PayloadOf,
  type TopicName,
} from '../../src-shared/ipc/contract.ts';

type AnswerOf<Name extends CallName> = Name extends CommandName ? CommandAnswer<Name> : OutputOf<Name>;
type Answer<Name extends CallName> =
  AnswerOf<Name> | ((input: InputOf<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>>);
export type Answers = { [Name in CallName]?: Answer<Name> };

/** The host as a screen sees it, without one: answers what a test says, by default the emptiest thing the contract allows. */
export interface FakeClient extends Client {
  /** Every call so far, in order. */
  calls: { name: CallName; input: unknown }[];
  /** Answers one call differently from now on; a function may wait or throw. */
  answer<Name extends CallName>(name: Name, answer: Answer<Name>): void;
  /** Tells everybody who subscribed. */
  publish<Name extends TopicName>(name: Name, payload: PayloadOf<Name>): void;
  subscriptions(): number;
}

/**
 * A double of the client, derived from the contract. Inputs, answers and payloads are
 * checked against it, so a test cannot agree with a screen on something no host says.
 * Faults: `Error` when something does not fit.
 */
export function createFakeClient(answers: Answers = {}): FakeClient {
  const given: Answers = { ...answers };
  const calls: FakeClient['calls'] = [];
  const listeners = new Map<TopicName, Set<(payload: never) => void>>();
  async function call(name: CallName, input: unknown): Promise<unknown> {
    prove(CONTRACT[name].input, input, `the input of ${name}`);
    calls.push({ name, input });
    const answer: unknown = given[name];
    const told: unknown =
      typeof answer === 'function'
        ? await (answer as (given: unknown) => unknown)(input)
        : (answer ?? emptyAnswer(name));
    proveAnswer(name, told);
    return told;
  }
  return {
    calls,
    query: async (name, input) => (await call(name, input)) as OutputOf<typeof name>,
    command: async (name, input) => (await call(name, input)) as CommandAnswer<typeof name>,
    answer(name, answer) {
      Object.assign(given, { [name]: answer });
    },
    subscribe(name, listener) {
      const group = listeners.get(name) ?? new Set();
      listeners.set(name, group.add(listener));
      return () => group.delete(listener);
    },
    publish(name, payload) {
      prove(CONTRACT[name].payload, payload, `the payload of ${name}`);
      for (const listener of listeners.get(name) ?? []) listener(payload as never);
    },
    subscriptions: () => [...listeners.values()].reduce((sum, group) => sum + group.size, 0),
  };
}

function emptyAnswer(name: CallName): unknown {
  const entry = CONTRACT[name];
  const value: unknown = Create(entry.output as TSchema);
  return entry.kind === 'command' ? { ok: true, value } : value;
}

function proveAnswer(name: CallName, told: unknown): void {
  const entry = CONTRACT[name];
  if (entry.kind === 'query') return prove(entry.output, told, `the answer of ${name}`);
  const result = told as { ok: true; value: unknown } | { ok: false; refusal: { kind: string } };
  if (result.ok) return prove(entry.output, result.value, `the answer of ${name}`);
  if (!(entry.refusals as readonly string[]).includes(result.refusal.kind))
    throw new Error(`${name} is never refused with ${result.refusal.kind}.`);
}

function prove(schema: TSchema, value: unknown, what: string): void {
  if (!Check(schema, value)) throw new Error(`This is not ${what}: ${JSON.stringify(value)}`);
}

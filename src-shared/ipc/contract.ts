import type { Static, TSchema } from 'typebox';
import type { Refusal, Result } from '../refusals.ts';
import { configurations } from './contract/configurations.ts';
import { host } from './contract/host.ts';
import { inbox } from './contract/inbox.ts';
import { runs } from './contract/runs.ts';
import { search } from './contract/search.ts';

/** Everything a renderer may ask of its host, and everything the host may tell it. */
export const CONTRACT = { ...runs, ...search, ...inbox, ...configurations, ...host } as const;
type Contract = typeof CONTRACT;

type NamesOf<Kind extends string> = {
  [Name in keyof Contract]: Contract[Name]['kind'] extends Kind ? Name : never;
}[keyof Contract];
export type CommandName = NamesOf<'command'>;
export type QueryName = NamesOf<'query'>;
export type TopicName = NamesOf<'topic'>;
export type CallName = CommandName | QueryName;

export type InputOf<Name extends CallName> = Contract[Name] extends { input: infer I extends TSchema }
  ? Static<I>
  : never;
export type OutputOf<Name extends CallName> = Contract[Name] extends { output: infer O extends TSchema }
  ? Static<O>
  : never;
export type PayloadOf<Name extends TopicName> = Contract[Name] extends { payload: infer P extends TSchema }
  ? Static<P>
  : never;
export type RefusalOf<Name extends CommandName> = Contract[Name] extends { refusals: readonly (infer K)[] }
  ? Extract<Refusal, { kind: K }>
  : never;

/** What a command comes to for the one who gave it. */
export type CommandAnswer<Name extends CommandName> =
  { ok: true; value: OutputOf<Name> } | { ok: false; refusal: RefusalOf<Name> };

/** The host's side: one function per call, for one signed-in person. */
export type Handlers = {
  [Name in CallName]: (
    input: InputOf<Name>,
  ) => Promise<Name extends CommandName ? Result<OutputOf<Name>> : OutputOf<Name>>;
};

/** The screen's side, over any transport. A fault is thrown. */
export interface Client {
  query<Name extends QueryName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>;
  command<Name extends CommandName>(name: Name, input: InputOf<Name>): Promise<CommandAnswer<Name>>;
  /** Tells the listener until the returned function is called. */
  subscribe<Name extends TopicName>(name: Name, listener: (payload: PayloadOf<Name>) => void): () => void;
}

export const isCallName = (name: string): name is CallName =>
  Object.hasOwn(CONTRACT, name) && CONTRACT[name as keyof Contract].kind !== 'topic';
export const isTopicName = (name: string): name is TopicName =>
  Object.hasOwn(CONTRACT, name) && CONTRACT[name as keyof Contract].kind === 'topic';

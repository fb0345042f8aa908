/*
 * How the two sides of the console talk: what an entry of the contract is, and what
 * every side derives from it. A command may be refused, a query only answers, a topic
 * only says "look again". Schemas are TypeBox: one source for the type, the check in
 * the host and the test doubles. Nothing here sends anything.
 * Source: architecture.md §9.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { Refusal } from '../refusals.ts';

export type RefusalKind = Refusal['kind'];

export interface Command<I extends TSchema, O extends TSchema, K extends RefusalKind> {
  kind: 'command';
  input: I;
  output: O;
  /** The refusals a caller has to expect; any other is a fault of the host. */
  refusals: readonly K[];
}

export interface Query<I extends TSchema, O extends TSchema> {
  kind: 'query';
  input: I;
  output: O;
}

export interface Topic<P extends TSchema> {
  kind: 'topic';
  payload: P;
}

/** Something a person wants done. It happens as a whole, or is refused and changes nothing. */
export const command = <I extends TSchema, O extends TSchema, const K extends RefusalKind>(entry: {
  input: I;
  output: O;
  refusals: readonly K[];
}): Command<I, O, K> => ({ kind: 'command', ...entry });

/** Something a screen shows. Changes nothing. */
export const query = <I extends TSchema, O extends TSchema>(entry: { input: I; output: O }): Query<I, O> => ({
  kind: 'query',
  ...entry,
});

/** Something to look at again. Lost messages are harmless: the row is the state. */
export const topic = <P extends TSchema>(payload: P): Topic<P> => ({ kind: 'topic', payload });

/** An object that takes exactly these fields: an unknown one is refused, so nothing can be smuggled past a handler. */
export const exactly = <P extends Record<string, TSchema>>(fields: P) =>
  Type.Object(fields, { additionalProperties: false });

/** For entries that need nothing. */
export const Nothing = exactly({});

/** Why a call was not even considered, or broke. `reference` finds it in the host's log; nothing else leaves the host. */
export const Fault = Type.Object({
  code: Type.Enum(['unknown_channel', 'bad_input', 'not_allowed', 'internal']),
  reference: Type.String(),
});
export type Fault = Static<typeof Fault>;

/** What comes back over a transport, whichever it is. */
export const Reply = Type.Union([
  Type.Object({ ok: Type.Literal(true), value: Type.Unknown() }),
  Type.Object({ ok: Type.Literal(false), refusal: Refusal }),
  Type.Object({ ok: Type.Literal(false), fault: Fault }),
]);
export type Reply = Static<typeof Reply>;

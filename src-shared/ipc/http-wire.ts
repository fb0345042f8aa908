import { Type, type Static } from 'typebox';
import { exactly } from './entry.ts';

/*
 * The loopback host's wire, beside `Reply`: how a page gets in, and how topics reach
 * it. Calls are `POST /call/NAME` with the input as JSON body and the token as bearer.
 * No cookie and no token in an address: cookies are shared across ports, addresses
 * end up in histories.
 * Source: architecture.md §2 "Headless host".
 */

/** `POST /session`: a one-time code, from the printed address or from the page before its reload. */
export const SessionRequest = exactly({ code: Type.String({ maxLength: 128 }) });
/** The token, kept in memory only, and the one-time code with which this page may come back after a reload. */
export const SessionReply = exactly({ token: Type.String(), nextCode: Type.String() });
export type SessionReply = Static<typeof SessionReply>;

/** First message on the WebSocket `/topics`; whatever else comes first closes it. */
export const TopicsHello = exactly({ token: Type.String({ maxLength: 128 }) });
/** Sent once when the token was accepted, then one message for each topic. */
export const TopicsMessage = Type.Union([
  Type.Object({ ready: Type.Literal(true) }),
  Type.Object({ topic: Type.String(), payload: Type.Unknown() }),
]);
export type TopicsMessage = Static<typeof TopicsMessage>;
/** Close code for a wrong or missing token; any other end is a lost connection. */
export const TOPICS_REFUSED = 4401;

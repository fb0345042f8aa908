import type { JsonObject } from './json-value.ts';
import type { Message } from './message.ts';
import type { ToolDefinition } from './tool.ts';

/** UTF-8 bytes for a token, by kind of text, and what the envelope of a message and of a call takes (runtime.md §2). */
const PROSE_BYTES = 3.5;
const DENSE_BYTES = 2.5;
const MESSAGE_TOKENS = 8;
const CALL_TOKENS = 12;

/** The window of a model nobody described. */
export const UNKNOWN_WINDOW = 8_192;
const SAFETY_SHARE = 0.03;
const LEAST_RESERVE = 1_000;
const RESERVE_SHARE = 0.02;

/** What estimates are multiplied with before a model has said what one really took (runtime.md §2). */
export const FIRST_CALIBRATION = 1.15;

/** The room of a model, in tokens. */
export interface ContextRoom {
  /** Null = not known; `unlimited` = nothing is measured, as with a model that reads no tokens. */
  window: number | null | 'unlimited';
  /** Kept free for the answer; null = as usual. */
  maxOutputTokens: number | null;
  calibration: number;
}

/**
 * What a question takes of a model's room, in tokens. `window - reserve - safety = budget`,
 * the four parts are the estimate together, `remaining` may be negative.
 */
export interface ContextBreakdown {
  measured: boolean;
  window: number;
  reserve: number;
  safety: number;
  budget: number;
  estimate: number;
  remaining: number;
  systemPrompt: number;
  request: number;
  transcript: number;
  tools: number;
  droppedMessages: number;
}

export interface FittedContext {
  /** What is sent: all of it, or without its oldest turns. */
  messages: Message[];
  /** False = not even request and newest turn fit. */
  fits: boolean;
  breakdown: ContextBreakdown;
}

/**
 * Makes a transcript fit into a model's room: whole oldest turns go, an assistant's message
 * together with the results of its calls. Everything up to the first message of the user
 * and the newest turn always stay. What cannot be told apart into turns passes as it is.
 * Nothing is taken out of what is stored.
 * Source: runtime.md §13.
 */
export function fitContext(
  messages: Message[],
  tools: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>[],
  room: ContextRoom,
): FittedContext {
  const sizes = roomOf(room);
  const turns = turnsOf(messages);
  const isMeasured = sizes !== null && sizes.budget > 0 && turns !== null;
  if (!isMeasured) return { messages, fits: true, breakdown: NOT_MEASURED };
  const { head, rest } = turns;
  const toolTokens = tools.reduce((sum, tool) => sum + toolSchemaTokens(tool), 0);
  const estimateOf = (kept: Message[][]): ContextBreakdown =>
    breakdownOf(sizes, room.calibration, head, kept.flat(), toolTokens);
  let kept = rest;
  let breakdown = estimateOf(kept);
  while (breakdown.remaining < 0 && kept.length > 1) {
    kept = kept.slice(1);
    breakdown = estimateOf(kept);
  }
  const sent = [...head, ...kept.flat()];
  return {
    messages: sent,
    fits: breakdown.remaining >= 0,
    breakdown: { ...breakdown, droppedMessages: messages.length - sent.length },
  };
}

const NOT_MEASURED: ContextBreakdown = {
  measured: false,
  window: 0,
  reserve: 0,
  safety: 0,
  budget: 0,
  estimate: 0,
  remaining: 0,
  systemPrompt: 0,
  request: 0,
  transcript: 0,
  tools: 0,
  droppedMessages: 0,
};

/** The calibration after a model said how many tokens a question really took: it only ever rises. */
export function calibrated(calibration: number, breakdown: ContextBreakdown, observedTokens: number): number {
  if (!breakdown.measured || breakdown.estimate <= 0) return calibration;
  return Math.max(calibration, (observedTokens / breakdown.estimate) * calibration);
}

type Sizes = Pick<ContextBreakdown, 'window' | 'reserve' | 'safety' | 'budget'>;

function roomOf({ window, maxOutputTokens }: ContextRoom): Sizes | null {
  if (window === 'unlimited') return null;
  const known = window !== null && window > 0 ? window : UNKNOWN_WINDOW;
  const reserve = maxOutputTokens ?? Math.max(LEAST_RESERVE, Math.ceil(known * RESERVE_SHARE));
  const safety = Math.ceil(known * SAFETY_SHARE);
  return { window: known, reserve, safety, budget: known - reserve - safety };
}

/** The head and the turns after it; null when a call has no result, or a result no call. */
function turnsOf(messages: Message[]): { head: Message[]; rest: Message[][] } | null {
  const first = messages.findIndex(({ role }) => role === 'user');
  const head = messages.slice(0, first + 1);
  const rest: Message[][] = [];
  for (const message of messages.slice(first + 1)) {
    if (message.role === 'tool') rest.at(-1)?.push(message);
    else rest.push([message]);
  }
  const isWhole = messages[first + 1]?.role !== 'tool' && rest.every(isPaired);
  return isWhole ? { head, rest } : null;
}

function isPaired([first, ...results]: Message[]): boolean {
  const asked = first?.role === 'assistant' ? (first.toolCalls ?? []).map(({ id }) => id) : [];
  const answered = results.map((message) => (message.role === 'tool' ? message.callId : ''));
  return asked.length === answered.length && asked.every((id) => answered.includes(id));
}

function breakdownOf(
  sizes: Sizes,
  calibration: number,
  head: Message[],
  transcript: Message[],
  toolTokens: number,
): ContextBreakdown {
  const tokens = (messages: Message[]): number => messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const scaled = (count: number): number => Math.ceil(count * calibration);
  const parts = {
    systemPrompt: scaled(tokens(head.filter(({ role }) => role === 'system'))),
    request: scaled(tokens(head.filter(({ role }) => role !== 'system'))),
    transcript: scaled(tokens(transcript)),
    tools: scaled(toolTokens),
  };
  const estimate = parts.systemPrompt + parts.request + parts.transcript + parts.tools;
  return { measured: true, ...sizes, estimate, remaining: sizes.budget - estimate, ...parts, droppedMessages: 0 };
}

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');
const prose = (text: string): number => Math.ceil(bytes(text) / PROSE_BYTES);
const dense = (value: JsonObject | string): number =>
  Math.ceil(bytes(typeof value === 'string' ? value : JSON.stringify(value)) / DENSE_BYTES);

function messageTokens(message: Message): number {
  if (message.role === 'tool') return MESSAGE_TOKENS + dense(message.content);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return calls.reduce(
    (sum, call) => sum + CALL_TOKENS + dense(call.name) + dense(call.arguments),
    MESSAGE_TOKENS + prose(message.content),
  );
}

const toolSchemaTokens = ({
  name,
  description,
  parameters,
}: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>): number =>
  CALL_TOKENS + dense(name) + prose(description) + dense(parameters);

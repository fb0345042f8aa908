import { canonicalJson } from './digest.ts';
import { DENIAL_MARK } from './denial-text.ts';
import type { Message } from './message.ts';
import type { ToolCall } from './tool.ts';

/**
 * How often the very same call was refused by a person, or for having been, in what a run has said so far. Such a call is not
 * shown to anybody again: a model that repeats itself must not wear a person down.
 * Source: issue E "Denial"; T-63.
 */
export function deniedBefore(transcript: Message[], call: ToolCall): number {
  const wanted = canonicalJson(call.arguments);
  let count = 0;
  let asked: ToolCall[] = [];
  for (const message of transcript) {
    if (message.role === 'assistant') asked = message.toolCalls ?? [];
    if (message.role !== 'tool' || !message.isError || !message.content.startsWith(DENIAL_MARK)) continue;
    const denied = asked.find(({ id }) => id === message.callId);
    if (denied?.name === call.name && canonicalJson(denied.arguments) === wanted) count += 1;
  }
  return count;
}

/** What the model reads in place of a call that a person has refused before. */
export const repeatedText = (toolName: string): string =>
  [
    DENIAL_MARK,
    `The same call to ${toolName} was declined before in this run, so nobody was asked again and nothing was executed.`,
    'Propose something else, or go on without it.',
  ].join('\n');

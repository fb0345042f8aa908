import type { Message } from '../domain/message.ts';
import { ModelError } from '../domain/model-client.ts';

/**
 * Proves, before anything is sent, that every tool call has exactly one result,
 * right after the message that asked for it, and that no result stands alone. A
 * provider would answer such a transcript with a bare 400. Ids need to be unique
 * within a turn only: several servers count from 0 in every turn.
 * Faults: `ModelError` of class `unknown`, naming the message by its position from 1.
 * Source: T-32, T-29; runtime.md §11.10.
 */
export function proveTranscript(messages: Message[]): void {
  let open = new Map<string, string>();
  messages.forEach((message, index) => {
    const position = index + 1;
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) {
        throw broken(position, `the result of ${message.toolName} answers no open call`);
      }
      return;
    }
    proveAnswered(open, position);
    open = message.role === 'assistant' ? openCalls(message.toolCalls, position) : new Map();
  });
  proveAnswered(open, messages.length + 1);
}

function openCalls(calls: { id: string; name: string }[] | undefined, position: number): Map<string, string> {
  const open = new Map<string, string>();
  if (calls?.length === 0) throw broken(position, 'an answer has an empty list of calls');
  for (const call of calls ?? []) {
    if (call.id === '') throw broken(position, `the call of ${call.name} has no id`);
    if (open.has(call.id)) throw broken(position, `two calls share the id ${call.id}`);
    open.set(call.id, call.name);
  }
  return open;
}

function proveAnswered(open: Map<string, string>, position: number): void {
  const [name] = open.values();
  if (name !== undefined) throw broken(position, `the call of ${name} has no result before it`);
}

function broken(position: number, problem: string): ModelError {
  return new ModelError(
    'unknown',
    `The conversation was not sent to the model, because it is damaged at message ${position}: ${problem}. Start the run again.`,
  );
}

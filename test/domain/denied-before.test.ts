import { describe, expect, it } from 'vitest';
import { DENIAL_MARK } from '../../src-main/domain/denial-text.ts';
import { deniedBefore } from '../../src-main/domain/denied-before.ts';
import type { Message } from '../../src-main/domain/message.ts';
import type { JsonObject } from '../../src-main/domain/json-value.ts';

const turn = (id: string, args: JsonObject, name = 'set_x'): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name, arguments: args }],
});
const answer = (callId: string, content: string, isError = true): Message => ({
  role: 'tool',
  callId,
  toolName: 'set_x',
  content,
  isError,
});
const denied = (id: string) => answer(id, `${DENIAL_MARK}\ndecided_by: run_owner`);
const call = (args: JsonObject, name = 'set_x') => ({ id: 'now', name, arguments: args });

describe('a call that a person has declined before', () => {
  it('is the same call with the same arguments, in whatever order its keys are', () => {
    const transcript = [turn('a', { page: 1, title: 'x' }), denied('a')];
    expect(deniedBefore(transcript, call({ title: 'x', page: 1 }))).toBe(1);
    expect(deniedBefore(transcript, call({ title: 'x', page: '1' }))).toBe(0);
    expect(deniedBefore(transcript, call({ title: 'x' }))).toBe(0);
    expect(deniedBefore(transcript, call({ page: 1, title: 'x' }, 'make_x'))).toBe(0);
  });

  it('is counted each time, also when ids come again', () => {
    const transcript = [
      turn('a', { page: 1 }),
      denied('a'),
      turn('a', { page: 2 }),
      denied('a'),
      turn('a', { page: 1 }),
      denied('a'),
    ];
    expect(deniedBefore(transcript, call({ page: 1 }))).toBe(2);
    expect(deniedBefore(transcript, call({ page: 2 }))).toBe(1);
  });

  it.each([
    ['it was executed', answer('a', 'done', false)],
    ['it failed', answer('a', 'Error: no such page')],
    ['its result only quotes such words', answer('a', `${DENIAL_MARK}\n`, false)],
    ['its result holds the words somewhere', answer('a', `It said: ${DENIAL_MARK}`)],
    ['the answer is to another call', denied('b')],
  ])('is not one when %s', (_what, message) => {
    expect(deniedBefore([turn('a', { page: 1 }), message], call({ page: 1 }))).toBe(0);
  });
});

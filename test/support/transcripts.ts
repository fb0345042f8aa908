import type { Message } from '../../src-main/domain/message.ts';

const resultsAfter = (messages: Message[], index: number): string[] => {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex((next) => next.role !== 'tool');
  return (end < 0 ? rest : rest.slice(0, end)).flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
};

/** Calls without exactly one result directly after their own turn, and results without a call. */
export function danglingCalls(messages: Message[]): string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    const results = resultsAfter(messages, index);
    const asked = (message.toolCalls ?? []).map((asks) => asks.id);
    return [...asked, ...results].filter(
      (id) => results.filter((other) => other === id).length !== 1 || !asked.includes(id),
    );
  });
}

/** What a provider of OpenAI's shape would refuse. Written from its documentation, not from our linter. */
export function openAiProblems(messages: Message[]): string[] {
  const problems = danglingCalls(messages).map((id) => `call ${id} dangles`);
  messages.forEach((message, index) => {
    if (message.role === 'tool' && !['assistant', 'tool'].includes(messages[index - 1]?.role ?? ''))
      problems.push(`${index}: a result follows no call`);
    if (message.role !== 'assistant' || !message.toolCalls) return;
    if (message.toolCalls.length === 0) problems.push(`${index}: an empty list of calls`);
    for (const { id, name, arguments: args } of message.toolCalls) {
      if (id === '') problems.push(`${index}: a call without an id`);
      if (name === '') problems.push(`${index}: a call without a name`);
      if (!isObject(args)) problems.push(`${index}: arguments that are no object`);
    }
  });
  return [...problems, ...unsendable(messages)];
}

interface Block {
  type: 'text' | 'tool_use' | 'tool_result';
  id: string;
}

/**
 * What a provider of Anthropic's shape would refuse: user and assistant take turns, the user begins, nothing is empty, and all
 * results of a message stand in the very next one. Ids are an adapter's to spell.
 */
export function anthropicProblems(messages: Message[]): string[] {
  const shaped = anthropicShape(messages);
  const problems = shaped[0]?.role === 'user' ? [] : ['the user does not begin'];
  shaped.forEach(({ role, blocks }, index) => {
    if (blocks.length === 0) problems.push(`${index}: nothing in it`);
    if (shaped[index + 1]?.role === role) problems.push(`${index}: ${role} twice in a row`);
    const asked = idsOf(blocks, 'tool_use');
    const answered = idsOf(shaped[index + 1]?.blocks ?? [], 'tool_result');
    if (asked.toSorted().join('\n') !== answered.toSorted().join('\n'))
      problems.push(`${index}: calls and results differ`);
    if (new Set(asked).size !== asked.length) problems.push(`${index}: two calls share an id`);
  });
  return problems;
}

function anthropicShape(messages: Message[]): { role: 'user' | 'assistant'; blocks: Block[] }[] {
  const shaped: { role: 'user' | 'assistant'; blocks: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = shaped.at(-1);
    // Results of one turn belong into one message.
    const isJoined =
      message.role === 'tool' && last?.role === 'user' && last.blocks.every(({ type }) => type === 'tool_result');
    if (isJoined) last.blocks.push(...blocksOf(message));
    else shaped.push({ role, blocks: blocksOf(message) });
  }
  return shaped;
}

function blocksOf(message: Message): Block[] {
  if (message.role === 'tool') return [{ type: 'tool_result', id: message.callId }];
  const text: Block[] = message.content === '' ? [] : [{ type: 'text', id: '' }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [...text, ...calls.map(({ id }): Block => ({ type: 'tool_use', id }))];
}

const idsOf = (blocks: Block[], wanted: Block['type']): string[] =>
  blocks.flatMap(({ type, id }) => (type === wanted ? [id] : []));

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that no UTF-8 body can carry. */
function unsendable(messages: Message[]): string[] {
  const texts = JSON.stringify(messages);
  return texts.isWellFormed() && !/\\ud[89a-f]/i.test(texts) ? [] : ['half a surrogate pair'];
}

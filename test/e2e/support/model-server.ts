import { delta, FakeProvider, sendStream, sse } from '../../models/support/fake-provider.ts';

/** One answer of a model. */
export interface ModelTurn {
  text?: string;
  calls?: { name: string; arguments: Record<string, unknown> }[];
}

/** A request of the console to its model, as far as a test looks at it. */
export interface ModelQuestion {
  messages: { role: string; content?: unknown }[];
  tools?: { function: { name: string } }[];
}

/**
 * A real server on loopback that speaks OpenAI's chat completions as a stream. What it answers follows from the question
 * alone, so that a segment that is carried out again hears the same. Without the right key it answers 401.
 */
export function startModelServer(
  answer: (question: ModelQuestion, round: number) => ModelTurn,
  key: string | null = null,
): Promise<FakeProvider> {
  return new FakeProvider((response, { headers, body }) => {
    if (key !== null && headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }));
      return;
    }
    const question = body as unknown as ModelQuestion;
    const round = question.messages.filter(({ role }) => role === 'assistant').length;
    sendStream(response, turnText(answer(question, round)));
  }).listen();
}

function turnText({ text, calls = [] }: ModelTurn): string {
  const spoken = text === undefined ? [] : [delta({ role: 'assistant', content: text })];
  const asked = calls.map(({ name, arguments: given }, index) =>
    delta({
      tool_calls: [
        { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(given) } },
      ],
    }),
  );
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const end = { ...delta({}, calls.length > 0 ? 'tool_calls' : 'stop'), usage };
  return sse(...spoken, ...asked, end, '[DONE]');
}

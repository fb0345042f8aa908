import { Type } from 'typebox';
import { defineTool } from '../define-tool.ts';
import { proveOneLine, proveDifferent } from './question-texts.ts';

/** Lets a person pick one of a few options. */
export const askChoice = defineTool({
  name: 'ask_choice',
  description:
    'Ask the person to pick one of a few options and wait for the answer. Use it when only they can know. Do not ask in the same turn in which you change something.',
  parameters: Type.Object(
    {
      question: Type.String({ minLength: 1, maxLength: 300, description: 'One line.' }),
      options: Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
        minItems: 2,
        maxItems: 10,
        description: 'One line each, no two alike.',
      }),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'questions',
  ask({ question, options }) {
    for (const line of [question, ...options]) proveOneLine(line);
    proveDifferent(options);
    return {
      type: 'object',
      title: question,
      properties: { answer: { type: 'string', enum: options } },
      required: ['answer'],
    };
  },
  execute: (args) => ({ outcome: 'ok', content: JSON.stringify({ answer: answerOf(args) }), write: null }),
});

/** Answers are validated by the question, not by the parameters of the model. */
const answerOf = (args: object): unknown => ('answer' in args ? args.answer : null);

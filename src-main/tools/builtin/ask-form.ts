import { Type, type Static } from 'typebox';
import type { JsonObject } from '../../domain/json-value.ts';
import { defineTool } from '../define-tool.ts';
import { proveDifferent, proveOneLine, QuestionUnclear } from './question-texts.ts';

const Field = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    label: Type.String({ minLength: 1, maxLength: 120, description: 'One line, shown to the person; no two alike.' }),
    kind: Type.Enum(['text', 'number', 'whole_number', 'yes_no', 'choice'] as const),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
        minItems: 2,
        maxItems: 10,
        description: 'For kind choice only.',
      }),
    ),
    required: Type.Boolean(),
  },
  { additionalProperties: false },
);
type Field = Static<typeof Field>;

/** Asks a person for several values at once. */
export const askForm = defineTool({
  name: 'ask_form',
  description:
    'Ask the person for several values at once and wait for the answer, a JSON object with the fields that were filled in, or a sentence when every one was left empty. Use it when only they can know. Do not ask in the same turn in which you change something.',
  parameters: Type.Object(
    {
      question: Type.String({ minLength: 1, maxLength: 300, description: 'One line: what the values are for.' }),
      fields: Type.Array(Field, { minItems: 1, maxItems: 20, description: 'One for each value, no two of a name.' }),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'questions',
  ask({ question, fields }) {
    for (const line of [question, ...fields.map(({ label }) => label)]) proveOneLine(line);
    proveDifferent([...OWN_ARGUMENTS, ...fields.map(({ name }) => name)]);
    proveDifferent(fields.map(({ label }) => label));
    return {
      type: 'object',
      title: question,
      properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
      required: fields.filter(({ required }) => required).map(({ name }) => name),
    };
  },
  execute(args) {
    const values = valuesOf(args);
    // Nothing but `{}` reads like an answer that says nothing, or like a fault (T-104).
    const content = Object.keys(values).length === 0 ? LEFT_EMPTY : JSON.stringify(values);
    return { outcome: 'ok', content, write: null };
  },
});

const LEFT_EMPTY = 'The person sent the form and left every field empty.';

/** Answers stand beside the arguments of the call, so no field may be called like one of those. */
const OWN_ARGUMENTS = ['question', 'fields'];

const valuesOf = (args: object): object =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !OWN_ARGUMENTS.includes(name)));

const TYPES = { text: 'string', number: 'number', whole_number: 'integer', yes_no: 'boolean' } as const;

function propertyOf({ kind, label, options }: Field): JsonObject {
  if (kind !== 'choice') return { type: TYPES[kind], title: label };
  if (!options) throw new QuestionUnclear('A field of kind choice names no options.');
  for (const option of options) proveOneLine(option);
  proveDifferent(options);
  return { type: 'string', title: label, enum: options };
}

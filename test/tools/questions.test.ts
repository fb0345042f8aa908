import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import { answerProblems, withAnswers } from '../../src-main/domain/question-rules.ts';
import { PATIENT_JUDGING_MS, questionProblem } from '../../src-main/domain/question-shape.ts';
import { aCall, aQuestion } from '../support/run-builders.ts';
import { InProcessTools, makePlace } from '../support/tool-fixtures.ts';

const tools = () => new InProcessTools(makePlace().context);
const choice = (options: string[], question = 'Which one?'): Promise<JsonObject | null> =>
  tools().ask('ask_choice', { question, options });
const field = (changes: JsonObject = {}): JsonObject => ({
  name: 'town',
  label: 'Town',
  kind: 'text',
  required: true,
  ...changes,
});
const form = (...fields: JsonObject[]): Promise<JsonObject | null> =>
  tools().ask('ask_form', { question: 'Where?', fields });

describe('ask_choice', () => {
  it('asks for one of the options, under the question as title', async () => {
    const schema = await choice(['Ulm', 'Jena']);
    expect(schema).toEqual({
      type: 'object',
      title: 'Which one?',
      properties: { answer: { type: 'string', enum: ['Ulm', 'Jena'] } },
      required: ['answer'],
    });
    expect(questionProblem(schema as JsonObject)).toBeNull();
  });

  it.each([
    ['two options that only differ in case', ['Ulm', 'ulm']],
    ['two options that look the same', ['ﬁle', 'file']],
    ['two options that differ by blanks', ['Ulm', ' Ulm ']],
    ['a blank option', ['Ulm', '  ']],
    ['an option of two lines', ['Ulm', 'Je\nna']],
    ['an option that reorders text', ['Ulm', '\u202eanej']],
    ['an option with a zero-width blank', ['Ulm', 'Je\u200bna']],
  ])('asks nobody about %s', async (_what, options) => {
    expect(await choice(options)).toBeNull();
  });

  it('asks nobody a question that shows as nothing or over several lines', async () => {
    for (const question of ['\u2800', 'a\nb', '\u202eb']) expect(await choice(['Ulm', 'Jena'], question)).toBeNull();
  });

  it('gives the model what was picked, as JSON', async () => {
    const result = await tools().execute('ask_choice', { question: 'Which?', options: ['a', 'b'], answer: 'b' });
    expect(result).toEqual({ outcome: 'ok', content: '{"answer":"b"}', write: null });
  });
});

describe('ask_form', () => {
  it('asks for a value of each kind', async () => {
    const schema = await form(
      field(),
      field({ name: 'price', label: 'Price', kind: 'number' }),
      field({ name: 'count', label: 'Count', kind: 'whole_number', required: false }),
      field({ name: 'urgent', label: 'Urgent?', kind: 'yes_no' }),
      field({ name: 'size', label: 'Size', kind: 'choice', options: ['small', 'large'] }),
    );
    expect(schema).toMatchObject({
      properties: {
        town: { type: 'string', title: 'Town' },
        price: { type: 'number', title: 'Price' },
        count: { type: 'integer', title: 'Count' },
        urgent: { type: 'boolean', title: 'Urgent?' },
        size: { type: 'string', title: 'Size', enum: ['small', 'large'] },
      },
      required: ['town', 'price', 'urgent', 'size'],
    });
    expect(questionProblem(schema as JsonObject)).toBeNull();
  });

  it.each([
    ['two fields of one name', [field(), field()]],
    ['two fields a person cannot tell apart', [field(), field({ name: 'place', label: 'town ' })]],
    ['a field called like an argument of the call', [field({ name: 'question' })]],
    ['a choice without options', [field({ kind: 'choice' })]],
    ['a choice between the same', [field({ kind: 'choice', options: ['a', 'A'] })]],
    ['a label that shows as nothing', [field({ label: '\u3164' })]],
  ])('asks nobody about %s', async (_what, fields) => {
    expect(await form(...fields)).toBeNull();
  });

  it('T-24 gives the model the values alone, with false, 0 and empty text as they are', async () => {
    const args = { question: 'Where?', fields: [field()], town: '', urgent: false, count: 0 };
    const result = await tools().execute('ask_form', args);
    expect(JSON.parse(result.content)).toEqual({ town: '', urgent: false, count: 0 });
  });

  it('T-104 tells the model in words that a form came back with every field left empty', async () => {
    const fields = [field({ required: false }), field({ name: 'count', label: 'Count', required: false })];
    const schema = await form(...fields);
    const call = aCall('ask_form', { arguments: { question: 'Where?', fields } });
    const question = aQuestion(call, schema as JsonObject);
    const answers = { [call.id]: {} };
    expect(answerProblems([question], answers, PATIENT_JUDGING_MS)).toEqual([]);
    const { arguments: given } = withAnswers(call, question, answers);
    expect(await tools().execute('ask_form', given)).toEqual({
      outcome: 'ok',
      content: 'The person sent the form and left every field empty.',
      write: null,
    });
  });
});

import { QUESTION_KEYWORDS } from '../../src-main/domain/question-keywords.ts';
import { askedValues } from '../../src-shared/asked-values.ts';
import { fileOf, vectorsOf } from './json-schema-vectors.ts';

const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** Properties that have a keyword, to see what a form makes of it. */
const PROPERTIES: Partial<Record<string, Record<string, unknown>>> = {
  type: { type: 'boolean' },
  const: { const: 1 },
  enum: { enum: [1, 2] },
  oneOf: { oneOf: [{ const: 1 }, { const: 2 }] },
  anyOf: { anyOf: [{ const: 1 }, { const: 2 }] },
  items: { type: 'array', items: { enum: [1, 2] } },
  minItems: { type: 'array', minItems: 1 },
  maxItems: { type: 'array', maxItems: 1 },
  multipleOf: { type: 'number', multipleOf: 2 },
  pattern: { type: 'string', pattern: 'a' },
  ...Object.fromEntries(['minLength', 'maxLength'].map((keyword) => [keyword, { type: 'string', [keyword]: 1 }])),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [
      keyword,
      { type: 'number', [keyword]: 1 },
    ]),
  ),
};

/** What a form makes of a keyword, as the form itself answers. */
function inTheForm(keyword: string): string {
  if (keyword === 'properties') return 'a field for each';
  if (keyword === 'required') return 'the others are marked as optional';
  const property = PROPERTIES[keyword];
  const [asked] = property ? askedValues({ properties: { a: property } }) : [];
  if (!asked) return 'said when it does not hold';
  if (asked.limits.some((limit) => limit.keyword === keyword)) return 'said beside the field';
  if (asked.kind === 'choice') return 'one of the options, where it names nothing but constants';
  if (asked.kind === 'several') return 'some of the options, where it names nothing but constants; else JSON';
  if (asked.kind === 'yes_no') return 'the kind of the field; objects and lists as JSON';
  return 'said when it does not hold';
}

/** The page docs/question-keywords.md, made from the list itself. `vitest -u` on its test writes it anew. */
export function keywordsPage(): string {
  const rows = Object.entries(QUESTION_KEYWORDS).map(([keyword, problem]) => {
    const values = vectorsOf(fileOf(keyword)).flatMap(({ tests }) => tests);
    const name = keyword === 'if' ? '`if`, `then`, `else`' : `\`${keyword}\``;
    return row([name, inTheForm(keyword), `\`${problem}\``, values.length]);
  });
  return [
    '# Keywords of a question',
    '',
    'What a question may rely on when it says which answers fit: keywords of JSON Schema 2020-12. Each is held to the values of the',
    'JSON Schema Test Suite in `test/vectors/json-schema` and to a second validator. This page is made from',
    '`src-main/domain/question-keywords.ts`.',
    '',
    row(['keyword', 'in the form', 'refused with the problem', 'validated by values of the suite']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
    'Not asked at all is a question with an empty `enum`, or with a property called `__proto__` anywhere: the suite allows both, the',
    'first fits nothing and the second would not be judged. `title` and `description` are shown, `format` says what is meant and is not',
    'judged, `default` is suggested and fills in nothing. Other keywords may stand in a question without being claimed.',
    '',
  ].join('\n');
}

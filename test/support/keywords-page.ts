import { QUESTION_KEYWORDS } from '../../src-main/domain/question-keywords.ts';
import { fileOf, vectorsOf } from './json-schema-vectors.ts';

const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The page docs/question-keywords.md, made from the list itself. `vitest -u` on its test writes it anew. */
export function keywordsPage(): string {
  const rows = Object.entries(QUESTION_KEYWORDS).map(([keyword, problem]) => {
    const values = vectorsOf(fileOf(keyword)).flatMap(({ tests }) => tests);
    return row([keyword === 'if' ? '`if`, `then`, `else`' : `\`${keyword}\``, `\`${problem}\``, values.length]);
  });
  return [
    '# Keywords of a question',
    '',
    'What a question may rely on when it says which answers fit: keywords of JSON Schema 2020-12. Each is held to the values of the',
    'JSON Schema Test Suite in `test/vectors/json-schema` and to a second validator. This page is made from',
    '`src-main/domain/question-keywords.ts`.',
    '',
    row(['keyword', 'problem a person is told', 'values of the suite']),
    row(['---', '---', '---']),
    ...rows,
    '',
    'Not asked at all is a question with an empty `enum`, or with a property called `__proto__` anywhere: the suite allows both, the',
    'first fits nothing and the second would not be judged. `format` says what is meant and is not judged; `default` fills in nothing.',
    'Other keywords may stand in a question without being claimed.',
    '',
  ].join('\n');
}

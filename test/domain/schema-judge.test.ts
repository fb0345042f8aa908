import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUESTION_KEYWORDS } from '../../src-main/domain/question-keywords.ts';
import { schemaJudge } from '../../src-main/domain/schema-judge.ts';
import { fileOf, vectorsOf } from '../support/json-schema-vectors.ts';
import { keywordsPage } from '../support/keywords-page.ts';

/** What the suite allows and no question may be: it is refused where it would be asked, not misjudged. */
const REFUSED: Record<string, string> = {
  enum: 'empty enum',
  properties: 'properties whose names are Javascript object property names',
};
/** No keywords of ours, but what they must not be led astray by. */
const BESIDES = ['default', 'infinite-loop-detection'];

describe('the keywords of a question', () => {
  it.each([...Object.keys(QUESTION_KEYWORDS), ...BESIDES])('LIM-21 and H-230 judge %s as the suite does', (keyword) => {
    const groups = vectorsOf(fileOf(keyword)).filter(({ description }) => description !== REFUSED[keyword]);
    const wrong = groups.flatMap(({ description, schema, tests }) => {
      const judge = schemaJudge(schema);
      return tests.flatMap((test) =>
        (judge.errorsOf(test.data).length === 0) === test.valid ? [] : [`${description}: ${test.description}`],
      );
    });
    expect(wrong).toEqual([]);
    expect(groups.flatMap(({ tests }) => tests).length).toBeGreaterThan(1);
  });

  it.each(Object.entries(REFUSED))(
    'R-75 refuse a schema of %s that could not be answered or judged: %s',
    (keyword, name) => {
      const [group] = vectorsOf(keyword).filter(({ description }) => description === name);
      expect(group).toBeDefined();
      expect(() => schemaJudge(group?.schema ?? {})).toThrow(/enum|__proto__/);
    },
  );

  it.each([
    [0.1, 0.3, true],
    [0.01, 19.99, true],
    [0.01, 19.995, false],
    [0.5, 1e21, true],
    [3, 1e21, false],
    [2, 2 ** 53 - 1, false],
    [0.1, 0, true],
  ])('count %f as people do: %f is a multiple of it (%s)', (multipleOf, value, expected) => {
    expect(schemaJudge({ multipleOf }).errorsOf(value).length === 0).toBe(expected);
  });

  it('are judged otherwise for `format`, which says only what is meant, and says nothing about it', () => {
    expect(schemaJudge({ format: 'email' }).errorsOf('no address')).toEqual([]);
  });

  it('are what docs/question-keywords.md says', async () => {
    await expect(keywordsPage()).toMatchFileSnapshot(join('..', '..', 'docs', 'question-keywords.md'));
  });
});

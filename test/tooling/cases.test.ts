import { describe, expect, it } from 'vitest';
import { byCase, casesIn, parseSelection, readCatalogue } from '../../scripts/lib/case-catalogue.mjs';
import {
  complaintsAbout,
  describeCases,
  proofsOf,
  readDeclarations,
  testsOfReport,
  testsOfSpec,
} from '../../scripts/lib/case-report.mjs';

/* Cases of this file are composed, so that it does not itself look like a proof of one. */
const R = (number: number) => `R-${number}`;
const T = (number: string) => `T-${number}`;

const RUNTIME = `## A. Settlement
1. Given a loop, when it answers, then done. [see R 2]
2. Given no row, then nothing.
## I. Reaper
120. Given equality, then not stale.
# Part 2
X1. Given a restart, then the same card.`;
const HUMAN = '## A. Does this call need a human?\n- **H-001** Given\n## AA. Actors\n- **H-343** Given\n';
const PEERS = `### 2.1 The pending decision
| Id | Where |
| T-02 | somewhere | as in ${T('40')} |
### 2.2 Claim
| T-17 | elsewhere |`;

const RUNTIME_CASES = readCatalogue('runtime', RUNTIME);
const proof = (name: string, assertions = 3, failure?: string): Proof => ({
  file: 'test/a.test.ts',
  name,
  failure,
  assertions,
});
type Proof = ReturnType<typeof testsOfSpec>[number];
const declared = (rows: string) =>
  readDeclarations(`| catalogue | sections |\n| --- | --- |\n| runtime | A, I |\n\n| case | form | why |\n${rows}`);

describe('a catalogue', () => {
  it('gives every case with its section, and no case that is only cited', () => {
    expect(RUNTIME_CASES.map(({ id, section }) => `${section} ${id}`)).toEqual([
      `A ${R(1)}`,
      `A ${R(2)}`,
      `I ${R(120)}`,
      'X X-1',
    ]);
    expect(readCatalogue('peers', PEERS).map(({ id, section }) => `${section} ${id}`)).toEqual([
      `2.1 ${T('02')}`,
      `2.2 ${T('17')}`,
    ]);
    expect(readCatalogue('human', HUMAN).map(({ section }) => section)).toEqual(['A', 'AA']);
  });

  it('knows a case however its number is padded, once, and sorts as people count', () => {
    expect(casesIn(`${R(9)} and R-09 do, ${T('2')} too, BR-1 and X-1000 are none`)).toEqual([R(9), T('02')]);
    expect([T('02'), R(10), 'X-1', R(9)].toSorted(byCase)).toEqual([R(9), R(10), 'X-1', T('02')]);
  });
});

describe('a question', () => {
  const ask = (words: string[], catalogue?: 'runtime' | 'human' | 'peers') => {
    const selection = parseSelection(words, catalogue);
    if ('problem' in selection) return selection.problem;
    const all = [...RUNTIME_CASES, ...readCatalogue('human', HUMAN), ...readCatalogue('peers', PEERS)];
    return all.filter(selection.wanted).map(({ id }) => id);
  };

  it.each([
    ['nothing', [], undefined, [R(1), R(2), R(120), 'X-1', 'H-001', 'H-343', T('02'), T('17')]],
    ['a section', ['A'], undefined, [R(1), R(2)]],
    ['a range', ['A-I'], undefined, [R(1), R(2), R(120)]],
    ['sections of peers', ['2.1-2.2'], undefined, [T('02'), T('17')]],
    ['a section and a case', ['2.2', R(2)], undefined, [R(2), T('17')]],
    ['one catalogue', [], 'peers', [T('02'), T('17')]],
    ['sections of another catalogue', ['A-Z'], 'human', ['H-001']],
    ['a range beyond Z', ['Z-AA'], 'human', ['H-343']],
  ] as const)('of %s means exactly that', (_what, words, catalogue, expected) => {
    expect(ask([...words], catalogue)).toEqual(expected);
  });

  it.each(['a', 'R-', 'A-I-X', 'everything'])('that nobody can understand is refused (%s)', (word) => {
    expect(ask([word])).toContain(`"${word}"`);
  });
});

describe('the tests', () => {
  it('are read from the report with what was counted in them; without a count there was none', () => {
    const report = {
      testResults: [
        {
          name: '/tree/test/a.test.ts',
          assertionResults: [
            { ancestorTitles: ['a run'], title: `${R(1)} ends`, status: 'passed', meta: { assertions: 4 } },
            {
              ancestorTitles: [],
              title: 'is slow',
              status: 'failed',
              failureMessages: ['Error: STACK_TRACE_ERROR\n at y'],
            },
            {
              ancestorTitles: [],
              title: `${R(2)} fails`,
              status: 'failed',
              failureMessages: ['AssertionError: 1 is not 2\n    at x'],
            },
          ],
        },
      ],
    };
    expect(testsOfReport(report, (path: string) => path.slice('/tree/'.length))).toEqual([
      proof(`a run > ${R(1)} ends`, 4),
      proof('is slow', 0, 'it ran out of time'),
      proof(`${R(2)} fails`, 0, 'AssertionError: 1 is not 2'),
    ]);
  });

  it('prove every case of their name, and every case of the names around them', () => {
    const proofs = proofsOf([proof(`${R(1)} and ${T('17')} > ${R(2)} say so`), proof('says nothing')]);
    expect([...proofs.keys()]).toEqual([R(1), T('17'), R(2)]);
  });

  it('of an end-to-end spec are read from its source and count nothing', () => {
    const source = `test('${T('02')} shows it', async () => {});\n  test(\`by \${how} ends\`, async () => {});`;
    expect(testsOfSpec('test/e2e/a.spec.ts', source)).toMatchObject([
      { name: `${T('02')} shows it`, assertions: undefined },
      { name: 'by ${how} ends' },
    ]);
  });
});

describe('what is wrong', () => {
  const complain = (tests: Proof[], rows = '', cases = RUNTIME_CASES) =>
    complaintsAbout({ cases, proofs: proofsOf(tests), declarations: declared(rows), isWanted: () => true });
  const sound = [proof(`${R(1)} to ${R(2)} hold`), proof(`${R(120)} holds`)];

  it('is nothing when every claimed case has a test that asserts something', () => {
    expect(complain(sound)).toEqual([]);
  });

  it('is a claimed case without test and reason; a reason settles it, and a section that nobody claims is left alone', () => {
    expect(complain(sound.slice(0, 1))).toEqual([`${R(120)}: no test proves it, and docs/cases.md does not say why`]);
    expect(complain(sound.slice(0, 1), `| ${R(120)} | impossible | because |`)).toEqual([]);
  });

  it('is a test that fails or asserts nothing; a spec, where nobody counts, is believed', () => {
    expect(complain([...sound, proof('X-1 is empty', 0)])).toEqual([
      'X-1: test/a.test.ts > X-1 is empty makes no assertion',
    ]);
    expect(complain([...sound, proof('X-1 is red', 3, 'too slow')])).toEqual([
      'X-1: test/a.test.ts > X-1 is red did not pass: too slow',
    ]);
    expect(complain([...sound, { ...proof('X-1 is seen'), assertions: undefined }])).toEqual([]);
  });

  it('is a case that has a test and is said to have none', () => {
    expect(complain(sound, `| ${R(2)} | impossible | because |`)).toEqual([
      `${R(2)}: docs/cases.md says that it has no test, but one carries it`,
    ]);
  });

  it('is a case that no catalogue knows, as far as there is one', () => {
    expect(complain([...sound, proof('X-99 is unheard of')])).toEqual(['X-99: no catalogue knows this case']);
    expect(complain([proof('X-99 is unheard of')], '', [])).toEqual([]);
  });
});

describe('the list', () => {
  it('says of each case how many tests and assertions it has, or why none', () => {
    const proofs = proofsOf([proof(`${R(2)} does`, 2), proof(`${R(2)} does, too`, 5)]);
    const rows = `| ${R(1)} | impossible | nothing to see |`;
    expect(describeCases(proofs, declared(rows), [R(2), R(1), R(120)])).toEqual([
      `${R(1)}    no test of its own (impossible): nothing to see`,
      `${R(2)}    2 tests, 7 assertions\n        2  test/a.test.ts > ${R(2)} does\n        5  test/a.test.ts > ${R(2)} does, too`,
      `${R(120)}  no test`,
    ]);
  });
});

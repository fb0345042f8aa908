import { byCase, casesIn } from './case-catalogue.mjs';

/*
 * Which test proves which case, and what is wrong with that. Pure: files and vitest's report come in as text and values.
 */

/** @typedef {import('./case-catalogue.mjs').Case} Case */
/** @typedef {{ file: string, name: string, failure: string | undefined, assertions: number | undefined }} Proof
 *   `failure` is undefined where the test passed, `assertions` where nobody counts: in the end-to-end specs */
/** @typedef {Map<string, Proof[]>} Proofs */
/** @typedef {{ complete: { catalogue: string, section: string }[], withoutTest: Map<string, { form: string, why: string }> }} Declarations */

/**
 * What `docs/cases.md` declares: the sections in which every case is proved or explained, and the cases without a test of
 * their own with their reasons.
 *
 * @param {string} text
 * @returns {Declarations}
 */
export function readDeclarations(text) {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((line) => line.split('|').map((cell) => cell.trim()));
  /** @type {Declarations['withoutTest']} */
  const withoutTest = new Map();
  for (const [, ids = '', form = '', why = ''] of cells) {
    for (const id of casesIn(ids)) withoutTest.set(id, { form, why });
  }
  const complete = cells.flatMap(([, catalogue = '', sections = '']) =>
    ['runtime', 'human', 'peers'].includes(catalogue)
      ? sections.split(/,\s*/).map((section) => ({ catalogue, section }))
      : [],
  );
  return { complete, withoutTest };
}

/**
 * The tests that carry a case in their name or in a name around it.
 *
 * @param {Proof[]} tests
 * @returns {Proofs}
 */
export function proofsOf(tests) {
  /** @type {Proofs} */
  const proofs = new Map();
  for (const test of tests) {
    for (const id of casesIn(test.name)) proofs.set(id, [...(proofs.get(id) ?? []), test]);
  }
  return proofs;
}

/**
 * The tests of vitest's JSON report, with the assertions that `test/support/counting-runner.ts` counted.
 *
 * @param {any} report
 * @param {(path: string) => string} relative
 * @returns {Proof[]}
 */
export function testsOfReport(report, relative) {
  return report.testResults.flatMap((/** @type {any} */ file) =>
    file.assertionResults.map((/** @type {any} */ test) => ({
      file: relative(file.name),
      name: [...test.ancestorTitles, test.title].join(' > '),
      failure: test.status === 'passed' ? undefined : whyOf(test),
      assertions: test.meta?.assertions ?? 0,
    })),
  );
}

/**
 * The first line of what went wrong; a test that was skipped has nothing to say. Vitest reports a test that ran out of
 * time by the stack it kept for it, without its sentence.
 *
 * @param {any} test
 * @returns {string}
 */
function whyOf(test) {
  const [line = ''] = (test.failureMessages[0] ?? test.status).split('\n');
  return line.includes('STACK_TRACE_ERROR') ? 'it ran out of time' : line;
}

/**
 * The named tests of an end-to-end spec, read from its source: they run elsewhere, and nobody counts in them.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Proof[]}
 */
export function testsOfSpec(file, source) {
  const titles = [...source.matchAll(/\btest\(\s*(['"`])(.*?)\1,/g)].map(([, , title = '']) => title);
  return titles.map((name) => ({ file, name, failure: undefined, assertions: undefined }));
}

/**
 * Everything that must not be: a claimed case that nothing proves, a test that carries a case and asserts nothing or
 * fails, a case that is both proved and declared to have no test, and a name for a case that no catalogue knows.
 *
 * @param {{ cases: Case[], proofs: Proofs, declarations: Declarations, isWanted: (one: Case) => boolean }} facts
 *   `cases` is empty where no catalogue is at hand
 */
export function complaintsAbout({ cases, proofs, declarations, isWanted }) {
  const { complete, withoutTest } = declarations;
  const known = new Set(cases.map(({ id }) => id));
  const isComplete = (/** @type {Case} */ one) =>
    complete.some(({ catalogue, section }) => catalogue === one.catalogue && section === one.section);
  const claimed = cases.filter((one) => isWanted(one) && isComplete(one)).map(({ id }) => id);
  return [...new Set([...claimed, ...proofs.keys(), ...withoutTest.keys()])].toSorted(byCase).flatMap((id) => {
    const tests = proofs.get(id) ?? [];
    const isExplained = withoutTest.has(id);
    return [
      ...(known.size > 0 && !known.has(id) ? [`${id}: no catalogue knows this case`] : []),
      ...(tests.length === 0 && !isExplained ? [`${id}: no test proves it, and docs/cases.md does not say why`] : []),
      ...(tests.length > 0 && isExplained ? [`${id}: docs/cases.md says that it has no test, but one carries it`] : []),
      ...tests.flatMap((test) => weakness(test).map((what) => `${id}: ${test.file} > ${test.name} ${what}`)),
    ];
  });
}

/** @param {Proof} test */
function weakness({ failure, assertions }) {
  if (failure !== undefined) return [`did not pass: ${failure}`];
  return assertions === 0 ? ['makes no assertion'] : [];
}

/**
 * One paragraph per case: how many tests and assertions, then each test with its figure; or the reason why there is none.
 *
 * @param {Proofs} proofs
 * @param {Declarations} declarations
 * @param {string[]} ids
 */
export function describeCases(proofs, { withoutTest }, ids) {
  return ids.toSorted(byCase).map((id) => {
    const tests = proofs.get(id) ?? [];
    const reason = withoutTest.get(id);
    if (tests.length === 0)
      return `${id.padEnd(6)} ${reason ? `no test of its own (${reason.form}): ${reason.why}` : 'no test'}`;
    const sum = tests.reduce((total, { assertions }) => total + (assertions ?? 0), 0);
    const lines = tests.map(
      ({ file, name, assertions }) => `${String(assertions ?? 'e2e').padStart(9)}  ${file} > ${name}`,
    );
    return [
      `${id.padEnd(6)} ${tests.length} ${tests.length === 1 ? 'test' : 'tests'}, ${sum} assertions`,
      ...lines,
    ].join('\n');
  });
}

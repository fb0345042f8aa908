import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { casesIn, catalogues, parseSelection, readCatalogue } from './lib/case-catalogue.mjs';
import {
  complaintsAbout,
  describeCases,
  proofsOf,
  readDeclarations,
  testsOfReport,
  testsOfSpec,
} from './lib/case-report.mjs';
import { environmentOf } from './lib/node-binary.mjs';
import { inProject, projectRoot } from './lib/places.mjs';
import { capture } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';
import { StepFailure, tail } from './lib/step-failure.mjs';

/** @typedef {import('./lib/case-catalogue.mjs').CatalogueName} CatalogueName */

const usage =
  'usage: npm run cases [-- CASE | SECTION | FROM-TO]... [--catalogue runtime|human|peers] [--all] [--json]';
const names = /** @type {CatalogueName[]} */ (Object.keys(catalogues));

/*
 * `npm run cases`: runs the tests that carry a case in question and prints case -> test -> number of assertions made.
 * Ends with 1 when a claimed case has no test, or a test that carries one fails or asserts nothing.
 */
await runMain(async () => {
  const question = readQuestion(process.argv.slice(2));
  if ('problem' in question) {
    process.stderr.write(`${question.problem}\n${usage}\n`);
    return 2;
  }
  const cases = readCatalogues();
  const isNamed = nameTest(question, cases);
  const { node } = await setUp({ withElectron: false, quiet: true });
  const sources = testSources();
  const files = sources.filter(
    ({ file, text }) => file.endsWith('.test.ts') && (question.all || casesIn(text).some(isNamed)),
  );
  const specs = sources.filter(({ file }) => file.endsWith('.spec.ts'));
  const tests = [
    ...(await runTests(
      node,
      files.map(({ file }) => file),
    )),
    ...specs.flatMap(({ file, text }) => testsOfSpec(file, text)),
  ];
  return answer({ question, cases, isNamed, proofs: onlyNamed(proofsOf(tests), isNamed) });
});

/**
 * @param {string[]} args
 * @returns {{ wanted: (one: import('./lib/case-catalogue.mjs').Case) => boolean, words: string[], all: boolean, json: boolean, catalogue: CatalogueName | undefined } | { problem: string }}
 */
function readQuestion(args) {
  const options = /** @type {const} */ ({
    catalogue: { type: 'string' },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  try {
    const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
    const catalogue = names.find((name) => name === values.catalogue);
    if (values.catalogue !== undefined && catalogue === undefined)
      return { problem: `there is no catalogue "${values.catalogue}"` };
    const selection = parseSelection(words, catalogue);
    return 'problem' in selection ? selection : { ...selection, words, all: values.all, json: values.json, catalogue };
  } catch (error) {
    return { problem: /** @type {Error} */ (error).message };
  }
}

/** The catalogues that stand beside this checkout; none where it stands alone. */
function readCatalogues() {
  return names.flatMap((name) => {
    const path = inProject('..', 'shared', catalogues[name].path);
    return existsSync(path) ? readCatalogue(name, readFileSync(path, 'utf8')) : [];
  });
}

/**
 * Whether a case belongs to the question. Without catalogues nobody knows its section; then letters and single cases count.
 *
 * @param {Exclude<ReturnType<typeof readQuestion>, { problem: string }>} question
 * @param {import('./lib/case-catalogue.mjs').Case[]} cases
 * @returns {(id: string) => boolean}
 */
function nameTest({ wanted, words, catalogue }, cases) {
  if (cases.length > 0) {
    const known = new Map(cases.map((one) => [one.id, one]));
    return (id) => {
      const one = known.get(id);
      // A test may name a case that no catalogue knows; that is said to whoever asks about everything of its kind.
      return one === undefined ? words.length === 0 : wanted(one);
    };
  }
  const ids = words.flatMap(casesIn);
  return (id) => {
    const ofCatalogue = catalogue === undefined || catalogues[catalogue].letters.includes(id[0] ?? '');
    return ids.length > 0 ? ids.includes(id) : ofCatalogue;
  };
}

function testSources() {
  return readdirSync(inProject('test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(test|spec)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: inTree(path), text: readFileSync(path, 'utf8') }))
    .toSorted((a, b) => a.file.localeCompare(b.file));
}

/** @param {string} path */
function inTree(path) {
  return relative(projectRoot, path).replaceAll('\\', '/');
}

/**
 * @param {string} node
 * @param {string[]} files
 */
async function runTests(node, files) {
  if (files.length === 0) return [];
  process.stderr.write(`running ${files.length} test files\n`);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-cases-'));
  try {
    const report = join(folder, 'report.json');
    const tool = inProject('node_modules', 'vitest', 'vitest.mjs');
    const args = [tool, 'run', '--reporter=json', `--outputFile=${report}`, ...files];
    const { code, output } = await capture(node, args, { env: environmentOf(node) });
    if (!existsSync(report)) {
      throw new StepFailure({
        tried: 'vitest run',
        because: tail(output),
        help: `vitest ended with ${code} before it could report`,
      });
    }
    return testsOfReport(JSON.parse(readFileSync(report, 'utf8')), inTree);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {import('./lib/case-report.mjs').Proofs} proofs
 * @param {(id: string) => boolean} isNamed
 */
function onlyNamed(proofs, isNamed) {
  return new Map([...proofs].filter(([id]) => isNamed(id)));
}

/**
 * @param {{ question: { wanted: (one: import('./lib/case-catalogue.mjs').Case) => boolean, json: boolean },
 *   cases: import('./lib/case-catalogue.mjs').Case[], isNamed: (id: string) => boolean, proofs: import('./lib/case-report.mjs').Proofs }} facts
 */
function answer({ question, cases, isNamed, proofs }) {
  const declarations = readDeclarations(readFileSync(inProject('docs', 'cases.md'), 'utf8'));
  const complaints = complaintsAbout({ cases, proofs, declarations, isWanted: question.wanted });
  const ids = new Set(
    [...proofs.keys(), ...declarations.withoutTest.keys(), ...cases.map(({ id }) => id)].filter(isNamed),
  );
  if (question.json) {
    const proved = Object.fromEntries(proofs);
    process.stdout.write(
      `${JSON.stringify({ cases: proved, withoutTest: Object.fromEntries(declarations.withoutTest), complaints }, null, 2)}\n`,
    );
  } else {
    process.stdout.write(`${describeCases(proofs, declarations, [...ids]).join('\n')}\n`);
    if (cases.length === 0)
      process.stdout.write('\nno catalogue stands beside this checkout: only what tests name is listed\n');
    process.stdout.write(complaints.length > 0 ? `\n${complaints.join('\n')}\n` : '');
    process.stdout.write(
      `\n${proofs.size} of ${ids.size} cases are proved by a test; ${complaints.length} complaints\n`,
    );
  }
  if (proofs.size === 0) process.stderr.write('no test carries such a case\n');
  return complaints.length > 0 || proofs.size === 0 ? 1 : 0;
}

import { writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} TestReport  what failed, a paragraph each */

/** Enough of a message to know what was expected where; the whole of it stands further up. */
const shownLines = 12;

/**
 * A reporter of vitest that writes a TestReport to the file COUNTERSIGN_TEST_REPORT. Counts as failures also what belongs to no
 * case: a file that does not load, an error that nobody caught.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export.
export default class TestReportWriter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<{ message: string, stack?: string }>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {TestReport} */
    const report = { passed: 0, failed: 0, skipped: 0, failures: [] };
    /** @param {string} what @param {ReadonlyArray<{ message: string, stack?: string }>} errors */
    const fail = (what, errors) => {
      report.failed += 1;
      report.failures.push([what, ...errors.map(describeError)].join('\n'));
    };
    for (const module of modules) {
      if (module.errors().length > 0) fail(module.relativeModuleId, module.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') fail(`${module.relativeModuleId} > ${test.fullName}`, errors);
        else report[state === 'passed' ? 'passed' : 'skipped'] += 1;
      }
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors());
      }
    }
    for (const error of unhandledErrors) fail('an error that nobody caught', [error]);
    writeFileSync(process.env.COUNTERSIGN_TEST_REPORT ?? '', JSON.stringify(report));
  }
}

/** @param {{ message: string, stack?: string }} error */
function describeError({ message, stack }) {
  const where = stack?.split('\n').find((line) => line.includes('/test/')) ?? '';
  return [...message.split('\n').slice(0, shownLines), where.trim()].map((line) => `    ${line}`).join('\n');
}

import { expect, TestRunner, type RunnerTestCase } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How many assertions the test itself made, told to reporters: `npm run cases` shows them beside the case they prove. */
    assertions?: number;
  }
}

/**
 * Counts when the test's own function is over: what hooks assert after it, such as the invariants of a file, would let a test
 * that asserts nothing pass for one that does.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a runner by its default export.
export default class CountingRunner extends TestRunner {
  override onAfterTryTask(test: RunnerTestCase): void {
    super.onAfterTryTask(test);
    test.meta.assertions = expect.getState().assertionCalls;
  }
}

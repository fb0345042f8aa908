import { defineConfig } from '@playwright/test';
import type { SurfaceOptions } from './test/e2e/support/console.ts';

/**
 * The same specs twice: in the real window and in Chromium on the headless host. Started by `npm run e2e`, which provides both.
 * One worker for each, so that no test waits for a third console on two cores. Nothing is tried again: a test that
 * passes only sometimes is a defect, of the product or of the test.
 */
export default defineConfig<SurfaceOptions>({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/e2e',
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reportSlowTests: null,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 10_000,
    locale: 'en-US',
    trace: 'off',
  },
  projects: [
    // What only one of the two can show is marked, or a file of its own, so that nothing is skipped for it.
    { name: 'electron', use: { surface: 'electron' }, grepInvert: /@browser-only/ },
    { name: 'chromium', testIgnore: '*.electron.spec.ts', use: { surface: 'chromium' }, grepInvert: /@window-only/ },
  ],
});

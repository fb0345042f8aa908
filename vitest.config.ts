import { defineConfig } from 'vitest/config';

/** Unit and process tests; the browser and Electron specs run under Playwright and end in `.spec.ts`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});

import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** What measures time, or has processes race or die: it needs the machine for itself, so it runs after the others, one file at a time. */
const ALONE = [
  'test/processes/{crash-lab,decision-binding,kill-table,packaged-crash-points,two-approvals}.test.ts',
  'test/store/{claim-race,lock}.test.ts',
];

/** Unit and process tests; the browser and Electron specs of later run under Playwright and end in `.spec.ts`. */
export default defineConfig({
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/support/no-electron.ts') } },
  test: {
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
    // Many tests start the command line or workers from their sources: reading those anew takes a third of each start.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules', '.cache', 'compile') },
    hookTimeout: 30_000,
    runner: resolve(import.meta.dirname, 'test/support/counting-runner.ts'),
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});

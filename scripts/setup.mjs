import { provideTestBrowser, runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run setup`: everything a fresh clone needs, and nothing that is already there. `npm start` and `npm test` do the same by
 * themselves. Called on its own it also tries the official Electron again where it could not be reached before.
 */
await runMain(async () => {
  await setUp({ withElectron: true, retry: true });
  await provideTestBrowser({ quiet: false });
  return 0;
});

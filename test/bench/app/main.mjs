import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { waitUntilUsable } from './usable.mjs';

/*
 * Watches another app start from inside: COUNTERSIGN_BENCH_MAIN is its entry. The same watching for each of them, so that what
 * it costs is on both sides of the ratio. Prints one JSON line with epoch milliseconds, then ends the app.
 */
const main = process.env.COUNTERSIGN_BENCH_MAIN ?? '';
const selector = process.env.COUNTERSIGN_BENCH_ROW ?? '';

app.once('web-contents-created', (_event, contents) => {
  contents.once('did-finish-load', () => {
    const loadedAtMs = Date.now();
    report(loadedAtMs).catch((error) => {
      console.error(error);
      app.exit(1);
    });

    /** @param {number} loaded */
    async function report(loaded) {
      const usableAtMs = selector ? await contents.executeJavaScript(waitUntilUsable(selector)) : loaded;
      process.stdout.write(`bench ${JSON.stringify({ loadedAtMs: loaded, usableAtMs })}\n`, () => app.quit());
    }
  });
});

await import(pathToFileURL(main).href);

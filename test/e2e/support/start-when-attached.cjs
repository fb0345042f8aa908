/*
 * Loaded by Electron before the app under test: holds the app back until Playwright is attached. Playwright loads a file
 * of its own for this only where it also chooses the Electron. Without it the window opens while Playwright attaches, and when
 * the page commits its first navigation in that very moment Playwright waits for it for ever (seen in one start of forty
 * on a busy machine).
 */
const { app } = require('electron');

const ready = app.whenReady();
const attached = new Promise((resolve) => {
  // oxlint-disable-next-line no-underscore-dangle -- the name Playwright calls once it listens
  globalThis.__playwright_run = resolve;
});
app.whenReady = () => attached.then(() => ready);

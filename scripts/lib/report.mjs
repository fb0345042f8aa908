import { StepFailure } from './step-failure.mjs';

/** @param {number} startedAtMs */
export const secondsSince = (startedAtMs) => `${((performance.now() - startedAtMs) / 1000).toFixed(2)} s`;

const patienceMs = 3_000;

/**
 * Runs one step and prints one line about it: name, result, duration.
 *
 * Lines go to stderr, because a program started after set-up may own stdout (`npm run -s cli -- … --json` prints exactly
 * one object). A step returns its value and a sentence; `changed: false` says it had nothing to do, and a quiet caller then
 * hears nothing.
 *
 * @template T
 * @param {string} name
 * @param {{ quiet: boolean }} options
 * @param {() => Promise<{ value: T, said: string, changed: boolean }>} work
 * @returns {Promise<T>}
 */
export async function reportStep(name, { quiet }, work) {
  const startedAtMs = performance.now();
  // A first set-up is silent for a minute otherwise, and silence looks like a hang.
  const patience = setTimeout(() => {
    process.stderr.write(`set-up ${'...'.padEnd(6)} ${name.padEnd(12)} at work; the first time can take a minute\n`);
  }, patienceMs);
  try {
    const { value, said, changed } = await work();
    if (changed || !quiet) process.stderr.write(line('ok', name, said, startedAtMs));
    return value;
  } catch (error) {
    process.stderr.write(line('FAILED', name, '', startedAtMs));
    if (error instanceof StepFailure) process.stderr.write(explain(error));
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

/**
 * @param {string} mark
 * @param {string} name
 * @param {string} said
 * @param {number} startedAtMs
 */
function line(mark, name, said, startedAtMs) {
  return `set-up ${mark.padEnd(6)} ${name.padEnd(12)} ${said}${said ? ', ' : ''}${secondsSince(startedAtMs)}\n`;
}

/** @param {StepFailure} failure */
function explain({ tried, because, help }) {
  const indented = because.split('\n').join('\n           ');
  return `  tried    ${tried}\n  because  ${indented}\n  help     ${help}\n`;
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { projectRoot } from './places.mjs';

const isWindows = process.platform === 'win32';
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * What is running now; an interrupted set-up must not leave a compiler or an npm behind.
 *
 * @type {Set<{ stop: (signal: NodeJS.Signals) => void, isForeground: boolean }>}
 */
const running = new Set();

for (const signal of signals) process.on(signal, onSignal);
if (!isWindows && process.env.npm_lifecycle_event) endWithNpm();

/**
 * npm runs a script through `sh -c`. It sends SIGTERM to that shell, which dies of it without passing it on (measured with
 * dash), and when npm itself is killed the shell lives on. Either way nobody waits for us any more; that parents have changed
 * is all that can be seen of it.
 */
function endWithNpm() {
  const parents = parentProcesses();
  const watch = setInterval(() => {
    if (parentProcesses() === parents) return;
    clearInterval(watch);
    onSignal('SIGTERM');
  }, 200);
  watch.unref();
}

/** The shell and, where the system shows it, the shell's parent: npm. */
function parentProcesses() {
  if (process.platform !== 'linux') return String(process.ppid);
  try {
    const grandparent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1];
    return `${process.ppid} ${grandparent}`;
  } catch {
    // The shell went away between the two looks: that is a change as well.
    return 'gone';
  }
}

/** @param {NodeJS.Signals} signal */
function onSignal(signal) {
  for (const child of running) child.stop(signal);
  // A program in the foreground decides itself when it ends; its exit then ends this process, too.
  if (![...running].some(({ isForeground }) => isForeground)) process.exit(exitCodeOf(null, signal));
}

/**
 * The shell's convention: a process ended by signal n reports 128 + n.
 *
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCodeOf(code, signal) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/**
 * Runs a command to its end and collects everything it says. It gets a process group of its own, so that a timeout or an
 * interrupt ends the whole tree (npm, make, Xvfb and their children) and nothing is left running.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, show?: boolean }} [options]
 *   `show` passes the output on as it comes, besides collecting it.
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} code 127 when the command does not exist
 */
export function capture(command, args, { cwd = projectRoot, env = process.env, timeoutMs = 0, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: !isWindows });
    let output = '';
    let timedOut = false;
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      if (child.pid === undefined) return;
      if (isWindows) child.kill(signal);
      else signalGroup(child.pid, signal);
    };
    const entry = { stop, isForeground: false };
    running.add(entry);
    const timer =
      timeoutMs > 0 &&
      setTimeout(() => {
        timedOut = true;
        stop('SIGKILL');
      }, timeoutMs);
    /** @param {NodeJS.WriteStream} target */
    const collect = (target) => (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      if (show) target.write(chunk);
    };
    child.stdout.on('data', collect(process.stdout));
    child.stderr.on('data', collect(process.stderr));
    /** @param {number} code */
    const finish = (code) => {
      if (timer) clearTimeout(timer);
      running.delete(entry);
      resolve({ code, output, timedOut });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(127);
    });
    child.on('close', (code, signal) => finish(exitCodeOf(code, signal)));
  });
}

/**
 * @param {number} groupId
 * @param {NodeJS.Signals} signal
 */
function signalGroup(groupId, signal) {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Hands the terminal to a program and answers with its exit code. Signals sent to this process are passed on. Ctrl-C is the
 * exception: a terminal sends it to the whole foreground group, so passing it on as well would look like a second press,
 * which programs rightly take as "now, without cleaning up".
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function runForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: process.cwd(), env, stdio: 'inherit' });
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    const entry = { stop, isForeground: true };
    running.add(entry);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      running.delete(entry);
      resolve(exitCodeOf(code, signal));
    });
  });
}

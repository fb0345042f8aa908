import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from './processes.mjs';
import { StepFailure, tail } from './step-failure.mjs';

/** Debian's packages for a window; a second name is the one since the 64-bit time transition. */
const packages = [
  ['libgtk-3-0', 'libgtk-3-0t64'],
  ['libnss3'],
  ['libasound2', 'libasound2t64'],
  ['libgbm1'],
  ['libxss1'],
  ['libatk-bridge2.0-0', 'libatk-bridge2.0-0t64'],
];
/** Only for a machine without a display. xvfb-run needs xauth, which its package only recommends. */
const displayPackages = [['xvfb'], ['xauth']];

/**
 * Installs the shared libraries that Electron's binary misses, and a virtual display where there is none.
 *
 * The loader is asked, not the package manager: libraries may come from anywhere, and packages are named differently
 * everywhere. Root on Debian and Ubuntu gets them installed; everybody else gets the one command.
 *
 * @param {string} electron
 * @param {{ needsVirtualDisplay: boolean }} options
 */
export async function provideLibraries(electron, { needsVirtualDisplay }) {
  if (process.platform !== 'linux') return { value: undefined, said: 'part of the system', changed: false };
  const missing = await findMissing(electron, needsVirtualDisplay);
  if (missing.length === 0) return { value: undefined, said: 'present', changed: false };
  const because = `missing: ${missing.join(', ')}`;
  const tried = 'to start Electron with the libraries of this system';
  if (!onPath('apt-get')) {
    const help = 'install GTK 3, NSS, ALSA, GBM and Xvfb with your package manager, then start again';
    throw new StepFailure({ tried, because, help });
  }
  const names = await packageNames(needsVirtualDisplay);
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() !== 0) throw new StepFailure({ tried, because, help: `sudo ${command.join(' ')}` });
  await aptGet(command.slice(1), `${because}; apt-get said:`);
  const stillMissing = await findMissing(electron, needsVirtualDisplay);
  if (stillMissing.length > 0) {
    throw new StepFailure({
      tried: command.join(' '),
      because: `still missing: ${stillMissing.join(', ')}`,
      help: `ldd ${electron}`,
    });
  }
  return { value: undefined, said: `installed what was ${because}`, changed: true };
}

/**
 * @param {string} electron
 * @param {boolean} needsVirtualDisplay
 */
async function findMissing(electron, needsVirtualDisplay) {
  const { output } = await capture('ldd', [electron]);
  const missing = output.split('\n').flatMap((text) => /^\s*(\S+) => not found/.exec(text)?.[1] ?? []);
  const programs = needsVirtualDisplay ? ['Xvfb', 'xvfb-run', 'xauth'] : [];
  return [...missing, ...programs.filter((name) => !onPath(name))];
}

/**
 * The names this release knows. A fresh container has no package lists at all: then they are fetched once.
 *
 * @param {boolean} needsVirtualDisplay
 */
async function packageNames(needsVirtualDisplay) {
  const wanted = needsVirtualDisplay ? [...packages, ...displayPackages] : packages;
  const pick = async () => {
    const { output } = await capture('apt-cache', ['policy', ...wanted.flat()]);
    const known = new Set([...output.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)].map((match) => match[1]));
    return wanted.map((names) => names.find((name) => known.has(name)));
  };
  let names = await pick();
  if (names.includes(undefined) && process.getuid?.() === 0) {
    await aptGet(['update'], 'apt-get update said:');
    names = await pick();
  }
  return names.map((name, index) => name ?? wanted[index]?.[0] ?? '');
}

/**
 * @param {string[]} args
 * @param {string} introduction
 */
async function aptGet(args, introduction) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let result = await capture('apt-get', args, { env });
  if (result.code !== 0 && args[0] === 'install') {
    // Stale lists name package versions that the mirror no longer has.
    await capture('apt-get', ['update'], { env });
    result = await capture('apt-get', args, { env });
  }
  if (result.code !== 0) {
    const because = `${introduction}\n${tail(result.output)}`;
    throw new StepFailure({
      tried: `apt-get ${args.join(' ')}`,
      because,
      help: `apt-get update && apt-get ${args.join(' ')}`,
    });
  }
}

/** @param {string} name */
const onPath = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

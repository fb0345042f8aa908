import { installPackages, onPath } from './apt.mjs';
import { capture } from './processes.mjs';
import { StepFailure } from './step-failure.mjs';

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
  const tried = await installPackages(needsVirtualDisplay ? [...packages, ...displayPackages] : packages, {
    tried: 'to start Electron with the libraries of this system',
    because,
    otherwise: 'install GTK 3, NSS, ALSA, GBM and Xvfb with your package manager, then start again',
  });
  const stillMissing = await findMissing(electron, needsVirtualDisplay);
  if (stillMissing.length > 0) {
    throw new StepFailure({ tried, because: `still missing: ${stillMissing.join(', ')}`, help: `ldd ${electron}` });
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

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './apt.mjs';
import { capture } from './processes.mjs';
import { StepFailure } from './step-failure.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** Where browsers are that are on no PATH. */
const places = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
    folder
      ? [
          join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
          join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
        ]
      : [],
  ),
};

/** Text needs at least one font; a bare container may have none, and every screenshot would then show empty boxes. */
const fonts = ['fonts-dejavu-core'];

/**
 * A Chromium for the tests of the page in a browser: the one that COUNTERSIGN_BROWSER names, else one of this system, else,
 * as root on Debian and Ubuntu, the package. Playwright's own download is not used: it comes from a host of its own, which
 * machines that reach only package registries do not reach.
 *
 * @returns {Promise<{ value: string, said: string, changed: boolean }>} the path of the executable
 */
export async function provideBrowser() {
  const chosen = process.env.COUNTERSIGN_BROWSER;
  if (chosen) return { value: proveChosen(chosen), said: `${chosen}, by COUNTERSIGN_BROWSER`, changed: false };
  const present = findBrowser();
  if (present) return { value: present, said: present, changed: false };
  const hasFont = process.platform !== 'linux' || (await capture('fc-list', [])).output.includes(':');
  const tried = await installPackages([['chromium', 'chromium-browser'], ...(hasFont ? [] : [fonts])], {
    tried: `to find ${names.join(', ')}`,
    because: 'the tests of the page in a browser need a Chromium, and none is installed',
    otherwise:
      'install Chromium or Google Chrome, or name one with COUNTERSIGN_BROWSER=/path/to/chrome, then start again',
  });
  const installed = findBrowser();
  if (installed) return { value: installed, said: `${installed} installed`, changed: true };
  throw new StepFailure({
    tried,
    because: 'the package installed no browser that is known here',
    help: 'install Chromium, and name it with COUNTERSIGN_BROWSER=/path/to/chromium',
  });
}

/** The first browser of this system, or undefined. */
function findBrowser() {
  const fixed = /** @type {Record<string, string[]>} */ (places)[process.platform] ?? [];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = folders.length > 0 ? names.flatMap((name) => folders.map((folder) => join(folder, name))) : [];
  return [...onPath, ...fixed].find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not ours to start: the same as not there.
    return false;
  }
}

/** @param {string} path */
function proveChosen(path) {
  if (isExecutable(path)) return path;
  throw new StepFailure({
    tried: `COUNTERSIGN_BROWSER=${path}`,
    because: 'there is no program that may be started',
    help: 'name an executable, or unset COUNTERSIGN_BROWSER to have one looked for',
  });
}

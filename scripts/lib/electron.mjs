import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fallbackVersion, hasFallback, provideFallbackElectron } from './electron-fallback.mjs';
import { downloadOfficialElectron, findOfficialElectron, officialVersion } from './electron-official.mjs';
import { cacheFolder } from './places.mjs';
import { StepFailure } from './step-failure.mjs';

/** How long a failed download is remembered where the fallback works: otherwise every start would wait for it again. */
const retryAfterMs = 24 * 3600_000;

/**
 * @typedef {{ executable: string, isFallback: boolean }} Electron
 *
 * The official Electron if it is there or can be fetched, else the fallback where there is one, else a sentence that says
 * what is missing. `retry` ignores a remembered failure.
 *
 * @param {string} node
 * @param {{ retry: boolean }} options
 * @returns {Promise<{ value: Electron, said: string, changed: boolean }>}
 */
export async function provideElectron(node, { retry }) {
  const present = findOfficialElectron();
  const version = officialVersion();
  if (present)
    return { value: { executable: present, isFallback: false }, said: `official ${version}`, changed: false };
  const remembered = join(cacheFolder(), `electron-${version}.unreachable`);
  const knownUnreachable = hasFallback && !retry && isRecent(remembered);
  if (!knownUnreachable) {
    const official = await downloadOfficialElectron(node, { hasFallback });
    if ('executable' in official) {
      return {
        value: { executable: official.executable, isFallback: false },
        said: `official ${version} fetched`,
        changed: true,
      };
    }
    if (!hasFallback) throw unreachable(version, official.because);
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(remembered, `${official.because}\n`);
  }
  const { executable, built } = await provideFallbackElectron(node);
  const said =
    `fallback ${fallbackVersion}: official ${version} cannot be reached here; ` +
    'this is an end-of-life development and test runtime, never packaged';
  return { value: { executable, isFallback: true }, said, changed: built };
}

/** @param {string} path */
const isRecent = (path) => existsSync(path) && Date.now() - statSync(path).mtimeMs < retryAfterMs;

/**
 * @param {string} version
 * @param {string} because
 */
function unreachable(version, because) {
  return new StepFailure({
    tried: `to download Electron ${version} for ${process.platform}-${process.arch}`,
    because,
    help: 'npx install-electron    (behind a firewall, set ELECTRON_MIRROR to a mirror that you can reach)',
  });
}

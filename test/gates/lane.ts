import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mutated, type Mutant } from './mutant.ts';

/** What the tests said: the first that failed, or null when all of them passed. */
export type Verdict = { failed: string | null };

/** A copy of the checkout in which one mutant at a time is tested. */
export interface Lane {
  /** Faults: when the tests could not run, which is no verdict. */
  test(mutant: Mutant): Promise<Verdict>;
  /** Runs tests on the sources as they are. */
  baseline(tests: string[]): Promise<Verdict>;
  dispose(): void;
}

interface Report {
  testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
}

export function openLane(root: string): Lane {
  const copy = mkdtempSync(join(tmpdir(), 'countersign-gates-'));
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return {
    async test(mutant) {
      const path = join(copy, mutant.file);
      writeFileSync(path, mutated(root, mutant));
      try {
        return await runTests(copy, mutant.tests);
      } finally {
        cpSync(join(root, mutant.file), path);
      }
    },
    baseline: (tests) => runTests(copy, tests),
    dispose: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** A file that does not load is no failed test: a mutant must break a rule, not the program. */
async function runTests(folder: string, tests: string[]): Promise<Verdict> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const said = await runVitest(folder, ['--reporter=json', `--outputFile=${report}`, ...tests]);
  let results: Report['testResults'];
  try {
    results = (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults;
  } catch (cause) {
    throw new Error(`The tests did not run: ${said.slice(-2_000)}`, { cause });
  }
  const broken = results.find(({ assertionResults }) => assertionResults.length === 0);
  if (broken) throw new Error(`${broken.name} did not load: ${broken.message}`);
  const failed = results.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed');
  return { failed: failed?.fullName ?? null };
}

function runVitest(folder: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
    // One worker: the lanes are what runs at the same time.
    const child = spawn(process.execPath, [program, 'run', '--project=together', '--maxWorkers=1', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const hear = (chunk: Buffer): void => void (said += chunk.toString());
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('close', () => resolve(said));
  });
}

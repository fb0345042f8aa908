import { availableParallelism } from 'node:os';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CRASH_POINTS } from '../../src-main/runtime/crash-points.ts';
import { crashLabPage } from './document.ts';
import { bundleLab } from './bundle.ts';
import { byDeaths, playRows } from './families.ts';
import { MUTANTS, playMutant } from './mutants.ts';
import type { Played } from './play-row.ts';
import { nameOfRow, ROWS } from './rows.ts';
import { compareScenario, SCENARIOS } from './scenarios.ts';
import { SECOND_DEATHS } from './second-deaths.ts';
import type { ScenarioEnd } from './scenario-steps.ts';

/*
 * `npm run crash-lab`: every row, every scenario, every negative control, then the
 * page docs/crash-lab.md. With words, only rows, scenarios and controls whose
 * name contains one of them, and no page.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const words = process.argv.slice(2);
const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));

let failures = 0;
/** One line for each experiment; `problems` empty = green. */
function tell(name: string, problems: string[]): void {
  if (problems.length > 0) failures += 1;
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}\n`);
  for (const problem of problems) process.stdout.write(`         ${problem}\n`);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** As many families at once as there are processors: most of a row is waiting for processes to start. */
async function playAllRows(): Promise<Map<string, Played>> {
  const found = new Map<string, Played>();
  const families = byDeaths([...ROWS, ...SECOND_DEATHS].filter((row) => isWanted(nameOfRow(row))));
  const work = async (): Promise<void> => {
    for (let family = families.shift(); family; family = families.shift()) {
      await playRows(program.hostEntry, family, (played) => {
        found.set(nameOfRow(played.row), played);
        tell(nameOfRow(played.row), played.problems);
      });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

async function playAllScenarios(): Promise<Map<string, ScenarioEnd>> {
  const found = new Map<string, ScenarioEnd>();
  for (const { name, demand, play } of SCENARIOS.filter((scenario) => isWanted(scenario.name))) {
    try {
      const { end, chain } = await play(program.hostEntry);
      found.set(name, end);
      tell(name, compareScenario(demand, end, chain));
    } catch (error) {
      tell(name, [wordsOf(error)]);
    }
  }
  return found;
}

/** A control is green when everything that must notice it is red. */
async function playAllMutants(): Promise<void> {
  for (const mutant of MUTANTS.filter(({ name }) => isWanted(name))) {
    try {
      for (const { name, problems } of await playMutant(ROOT, mutant))
        if (problems.length > 0) tell(`${mutant.name} turns "${name}" red: ${problems.join(', ')}`, []);
        else tell(`${mutant.name} must turn "${name}" red`, ['it stayed green']);
    } catch (error) {
      tell(mutant.name, [wordsOf(error)]);
    }
  }
}

const startedMs = performance.now();
const program = await bundleLab(ROOT);
const rows = await playAllRows();
const scenarios = await playAllScenarios();
await playAllMutants();
program.remove();
process.stdout.write(
  `${Object.keys(CRASH_POINTS).length} points, ${rows.size} rows, ${scenarios.size} scenarios, ` +
    `${failures} failed, ${Math.round((performance.now() - startedMs) / 1_000)} s\n`,
);
if (failures === 0 && words.length === 0) writePage();
process.exitCode = failures === 0 ? 0 : 1;

function writePage(): void {
  const page = crashLabPage({
    endOf(row) {
      const played = rows.get(nameOfRow(row));
      if (!played?.end) throw new Error(`${nameOfRow(row)} was not played.`);
      return { end: played.end, isHit: played.isHit };
    },
    endOfScenario(name) {
      const end = scenarios.get(name);
      const demand = SCENARIOS.find((scenario) => scenario.name === name)?.demand;
      if (!end || !demand) throw new Error(`"${name}" was not played.`);
      // A figure that is allowed to vary is not printed.
      return Object.fromEntries(
        Object.entries(end).filter(([key]) => demand[key as keyof ScenarioEnd] !== undefined),
      ) as Partial<ScenarioEnd>;
    },
  });
  writeFileSync(join(ROOT, 'docs', 'crash-lab.md'), page);
}

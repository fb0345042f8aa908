import { dirname } from 'node:path';
import { openLane } from './lane.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

/*
 * `npm run gates [-- WORDS]`: takes each rule out of a copy of the sources and runs the tests that must notice. Prints what each
 * mutant broke; ends with 1 when one of them is not noticed, or when a test fails without any.
 */

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ name, group }) => words.length === 0 || words.some((word) => group === word || name.includes(word)),
);
if (chosen.length === 0) {
  process.stderr.write('No rule has that name. usage: npm run gates [-- gate|guard|seal|case|PART OF A NAME]...\n');
  process.exit(2);
}
const root = dirname(dirname(import.meta.dirname));
const lanes = [openLane(root), openLane(root)];
const unnoticed: string[] = [];
try {
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
  const { failed } = await (lanes[0] as (typeof lanes)[0]).baseline(tests);
  if (failed !== null) throw new Error(`Fails without any change: ${failed}`);
  const waiting = [...chosen];
  const ends = await Promise.allSettled(
    lanes.map(async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const verdict = await lane.test(mutant);
        process.stdout.write(`${rowOf(mutant, verdict.failed)}\n`);
        if (verdict.failed === null) unnoticed.push(mutant.name);
      }
    }),
  );
  // What kept one lane from going on is told once the other has left its folder.
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
} finally {
  for (const lane of lanes) lane.dispose();
}
process.stdout.write(`${chosen.length} rules taken out, ${chosen.length - unnoticed.length} noticed\n`);
for (const name of unnoticed) process.stdout.write(`NOT NOTICED ${name}\n`);
process.exitCode = unnoticed.length === 0 ? 0 : 1;

function rowOf({ group, name }: Mutant, failed: string | null): string {
  return `${failed === null ? 'GREEN' : 'red  '} ${group.padEnd(5)} ${name.padEnd(44)} ${failed ?? ''}`.trimEnd();
}

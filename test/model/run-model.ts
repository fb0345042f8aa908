import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Hits } from './hits.ts';
import { playModel } from './play-sequence.ts';
import { createWorlds } from './world.ts';

/*
 * `npm run model [-- --runs N] [--seed N] [--path P]`: plays random lives of runs on the real store beside the reference
 * model, 10,000 sequences of a new seed unless told, and prints how often each transition came to which end. At the first
 * difference it prints the shortest sequence that shows it and the words that play it again, and ends with 1.
 */

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' } },
});
const runs = Number(values.runs ?? 10_000);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  process.stderr.write('usage: npm run model [-- --runs N] [--seed N] [--path P]\n');
  process.exit(2);
}

process.stdout.write(`${runs} sequences of seed ${seed}\n`);
const startedMs = performance.now();
const hits = new Hits();
const worlds = createWorlds();
const { played, problem } = await playModel(worlds, hits, { runs, seed, path: values.path, shrinks: true }).finally(
  () => worlds.dispose(),
);
const seconds = Math.round((performance.now() - startedMs) / 1000);
process.stdout.write(`${hits.table()}\n${played} sequences in ${seconds} s\n`);
if (problem !== null) process.stdout.write(`${problem}\n`);
process.exitCode = problem === null ? 0 : 1;

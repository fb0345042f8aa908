import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TRANSITION_TABLE } from '../../src-main/domain/transition-table.ts';
import { cellNames } from './cells.ts';
import { COMMANDS } from './commands.ts';
import { Hits } from './hits.ts';
import { playModel } from './play-sequence.ts';
import { createWorlds } from './world.ts';

const RUNS = 2_000;
/** Always the same sequences, so that the counts below always hold; `npm run model` plays others. */
const SEED = 20_261_130;
/** Fewer prove too little: a cell that is hardly ever hit is hit in one way only. */
const LEAST_HITS = 20;

const hits = new Hits();
const worlds = createWorlds();

describe('the life of runs', () => {
  afterAll(() => worlds.dispose());

  it('is played with at least 30 kinds of commands', () => {
    expect(Object.keys(COMMANDS).length).toBeGreaterThanOrEqual(30);
  });

  it.each(['model-state.ts', 'reference.ts', 'reference-people.ts', 'reference-worker.ts'])(
    'is foretold by %s without a rule of the product',
    (file) => {
      const imports = readFileSync(join(import.meta.dirname, file), 'utf8').match(/^import .*src-main.*$/gm);
      expect(imports).not.toBeNull();
      expect(imports?.filter((line) => !line.startsWith('import type '))).toEqual([]);
    },
  );

  it(`T-08 is what the reference model says after every command of ${RUNS} sequences, late and wrong ones included`, async () => {
    console.log(`model: ${RUNS} sequences of seed ${SEED}`);
    const { played, problem } = await playModel(worlds, hits, { runs: RUNS, seed: SEED, shrinks: true });
    expect(problem).toBeNull();
    expect(played).toBe(RUNS);
    console.log(hits.table());
  }, 300_000);

  it('T-22 comes to every end that a transition can have, often, and to no other', () => {
    expect(hits.cells().toSorted()).toEqual(cellNames().toSorted());
    expect(hits.rarer(LEAST_HITS)).toEqual([]);
  });

  it('takes every row of the table of transitions often', () => {
    expect(TRANSITION_TABLE.filter(({ id }) => hits.ofRow(id) < LEAST_HITS).map(({ id }) => id)).toEqual([]);
  });
});

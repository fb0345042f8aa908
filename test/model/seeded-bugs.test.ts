import { afterAll, describe, expect, it } from 'vitest';
import { Hits } from './hits.ts';
import { MOST_SEQUENCES, MUTANTS, type Mutant } from './mutants.ts';
import { playModel, type ModelReport } from './play-sequence.ts';
import { createWorlds, type Worlds } from './world.ts';

const SEED = 8;
const worlds = createWorlds();

/** The worlds with the mistake in them. */
function spoiled({ spoil }: Mutant): Worlds {
  const open = (): ReturnType<Worlds['open']> => {
    const world = worlds.open();
    spoil?.(world);
    return world;
  };
  return { ...worlds, open };
}

async function playMutant(mutant: Mutant): Promise<ModelReport> {
  const end = mutant.begin();
  try {
    return await playModel(spoiled(mutant), new Hits(), { runs: MOST_SEQUENCES, seed: SEED, shrinks: false });
  } finally {
    end();
  }
}

/** A model that has never found anything proves nothing. That it finds nothing without a mistake is said beside this file. */
describe('the model of the life cycle', () => {
  const found: string[] = [];
  afterAll(() => {
    worlds.dispose();
    console.log(`seeded bugs, by the sequences it took to find them:\n${found.join('\n')}`);
  });

  it('is tried with at least 8 mistakes', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(8);
  });

  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'finds that %s',
    async (name, mutant) => {
      const { played, problem } = await playMutant(mutant);
      expect(problem).not.toBeNull();
      found.push(`${String(played).padStart(4)}  ${name}`);
    },
    120_000,
  );
});

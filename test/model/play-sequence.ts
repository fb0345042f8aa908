import fc from 'fast-check';
import { anySequence, describeCommand, type Command } from './commands.ts';
import type { Hits } from './hits.ts';
import { Watch } from './invariants.ts';
import { Life } from './life.ts';
import { playCommand } from './plays.ts';
import type { Worlds } from './world.ts';

/** Plays one sequence on a world of its own. Faults: at the first difference, with everything that led there. */
async function playSequence(worlds: Worlds, hits: Hits, commands: Command[]): Promise<void> {
  const world = worlds.open();
  const life = new Life(world, hits);
  try {
    const watch = new Watch(life);
    for (const command of commands) {
      life.begin(describeCommand(command));
      await playCommand(life, command);
      await watch.prove();
    }
    await watch.proveEnd();
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new Error([...life.log, told].join('\n'), { cause: error });
  } finally {
    world.dispose();
  }
}

export interface ModelOptions {
  runs: number;
  seed: number;
  /** The way to one sequence, from an earlier failure. */
  path?: string | undefined;
  /** Whether a failure is made smaller; not when only the failure counts. */
  shrinks: boolean;
}

/** What came of it: how many sequences were played, and what went wrong, null = nothing. */
export interface ModelReport {
  played: number;
  problem: string | null;
}

/** Plays random sequences until one differs. The same seed plays the same ones. */
export async function playModel(worlds: Worlds, hits: Hits, options: ModelOptions): Promise<ModelReport> {
  const { runs: numRuns, seed, path, shrinks } = options;
  const property = fc.asyncProperty(anySequence, (commands) => playSequence(worlds, hits, commands));
  const report = await fc.check(property, { numRuns, seed, endOnFailure: !shrinks, ...(path ? { path } : {}) });
  if (!report.failed) return { played: report.numRuns, problem: null };
  const error = report.errorInstance;
  const told = error instanceof Error ? error.message : String(error);
  const again = `again: npm run model -- --seed ${report.seed} --path ${report.counterexamplePath ?? ''}`;
  return { played: report.numRuns, problem: `${told}\n${again}` };
}

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rounded, sum } from './figures.ts';
import { openTopology, type TopologyShape } from './topology.ts';

/** Two lengths of the same work: what opening and closing cost falls out of their difference. */
const FEW = 20;
const MANY = 220;

export const canCountFsyncs = (): boolean =>
  process.platform === 'linux' && spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;

/**
 * Fsyncs of one cycle, counted by strace in a pass of its own that is not timed: strace makes every call many times slower.
 * Checkpoints are included, at their share.
 */
export async function fsyncsPerCycle(shape: TopologyShape, folder: string): Promise<number> {
  const few = await fsyncsOf(shape, folder, FEW);
  const many = await fsyncsOf(shape, folder, MANY);
  return rounded((many.calls - few.calls) / (many.cycles - few.cycles));
}

async function fsyncsOf(
  shape: TopologyShape,
  folder: string,
  cycles: number,
): Promise<{ cycles: number; calls: number }> {
  const prefix = `fsyncs-${shape.name}-${cycles}`;
  // With -ff every thread of every process writes a file of its own, a line for each call.
  const wrapper = ['strace', '-ff', '-e', 'trace=fsync,fdatasync', '-o', join(folder, prefix)];
  const topology = await openTopology(shape, wrapper);
  const reports = await topology.round({ ms: Number.MAX_SAFE_INTEGER, cycles });
  await topology.close();
  const files = readdirSync(folder).filter((name) => name.startsWith(`${prefix}.`));
  const calls = files.map((name) => readFileSync(join(folder, name), 'utf8').match(/^f(data)?sync\(/gm)?.length ?? 0);
  return { cycles: sum(reports.map(({ cycleMs }) => cycleMs.length)), calls: sum(calls) };
}

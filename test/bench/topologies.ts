import { canCountFsyncs, fsyncsPerCycle } from './count-fsyncs.ts';
import { overRounds, rounded, spread, sum } from './figures.ts';
import type { RoundReport } from './cycle-process.ts';
import { together } from './process-usage.ts';
import { BARE, openTopology, TOPOLOGIES, type Topology } from './topology.ts';

const ROUNDS = Number(process.env.COUNTERSIGN_BENCH_ROUNDS ?? 7);
const ROUND_MS = Number(process.env.COUNTERSIGN_BENCH_ROUND_MS ?? 1_500);

/** A topology and what its rounds came to, one list of reports a round. */
interface Measured {
  topology: Topology;
  rounds: RoundReport[][];
}

/**
 * Life cycles a second in each topology beside bare statements. The rounds of all of them alternate, so that a slow minute
 * of the machine meets all; a ratio compares two rounds that stood next to each other.
 */
export async function measureTopologies(folder: string): Promise<Record<string, Record<string, unknown>>> {
  const measured: Measured[] = [];
  for (const shape of [BARE, ...TOPOLOGIES]) measured.push({ topology: await openTopology(shape), rounds: [] });
  // The first round of each is thrown away: it fills caches and lets the compiler do its work.
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { topology, rounds } of measured) {
      const reports = await topology.round({ ms: ROUND_MS, cycles: Number.MAX_SAFE_INTEGER });
      if (round >= 0) rounds.push(reports);
    }
  }
  for (const { topology } of measured) await topology.close();
  const bareRounds = measured[0]?.rounds.map(cyclesPerSecond) ?? [];
  const entries: [string, Record<string, unknown>][] = [];
  for (const { topology, rounds } of measured) {
    const { shape } = topology;
    const fsyncs = canCountFsyncs() ? await fsyncsPerCycle(shape, folder) : 'not counted: there is no strace here';
    entries.push([shape.name, { ...figuresOf(rounds, bareRounds), fsyncsPerCycle: fsyncs }]);
  }
  return Object.fromEntries(entries);
}

/** Cycles of all processes over the time of the slowest. */
const cyclesPerSecond = (reports: RoundReport[]): number =>
  (sum(reports.map(({ cycleMs }) => cycleMs.length)) / Math.max(...reports.map(({ elapsedMs }) => elapsedMs))) * 1_000;

function figuresOf(rounds: RoundReport[][], bareRounds: number[]): Record<string, unknown> {
  const all = rounds.flat();
  const cycleMs = all.flatMap((report) => report.cycleMs);
  const usage = together(all.map((report) => report.usage));
  const each = (total: number | null): number | null => (total === null ? null : rounded(total / cycleMs.length));
  const processes = rounds[0]?.length ?? 1;
  const shares = Array.from({ length: processes }, (_, index) =>
    sum(rounds.map((reports) => reports[index]?.cycleMs.length ?? 0)),
  );
  return {
    cyclesPerSecond: overRounds(rounds.map(cyclesPerSecond)),
    ratioToBare: overRounds(rounds.map((reports, index) => cyclesPerSecond(reports) / (bareRounds[index] ?? 1))),
    cycleMs: spread(cycleMs),
    cpuMsPerCycle: each(usage.cpuMs),
    writtenBytesPerCycle: each(usage.writtenBytes),
    diskBytesPerCycle: each(usage.diskBytes),
    longestLockWaitMs: rounded(Math.max(...all.map((report) => report.longestLockWaitMs))),
    ...(processes > 1 ? { fairness: rounded(Math.min(...shares) / Math.max(...shares)) } : {}),
  };
}

/*
 * What a run's life costs: prints one JSON object. Started by `npm run bench`; words after `life-cycle` name the parts that
 * are wanted, without any it is all. Aims are compared, never enforced: a figure of a busy machine proves nothing.
 */
import { arch, availableParallelism, loadavg } from 'node:os';
import { compareAims } from './aims.ts';
import { measureClaims } from './claim-throughput.ts';
import { measureDecisions } from './decision-latency.ts';
import { disposeDisk, openDisk } from './disk.ts';
import { measureIdle } from './idle-cost.ts';
import { measurePurge } from './purge-waits.ts';
import { measureTopologies } from './topologies.ts';

const disk = openDisk();
const PARTS: Record<string, () => Promise<Record<string, unknown>>> = {
  topologies: () => measureTopologies(disk.folder),
  decisions: measureDecisions,
  claims: async () => ({ 1: await measureClaims(1), 2: await measureClaims(2), 4: await measureClaims(4) }),
  idle: () => measureIdle(disk.folder),
  purge: () => measurePurge(),
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));

try {
  if (unknown.length > 0) throw new Error(`Parts are ${Object.keys(PARTS).join(', ')}; not ${unknown.join(', ')}.`);
  const machine = {
    platform: process.platform,
    arch: arch(),
    processors: availableParallelism(),
    node: process.version,
  };
  const loadBefore = loadavg()[0];
  const parts: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length === 0 || wanted.includes(name)) parts[name] = await measure();
  }
  const conditions = { machine, loadBefore, fileSystem: disk.fileSystem, settings: 'WAL, synchronous=FULL' };
  process.stdout.write(`${JSON.stringify({ conditions, ...parts, aims: compareAims(parts) }, null, 2)}\n`);
} finally {
  disposeDisk(disk);
}

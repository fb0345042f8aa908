import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openStoreFixture } from '../support/store.ts';
import type { RoundOrder, RoundReport } from './cycle-process.ts';

/** How many processes share a file, and how many runs each carries out at once. */
export interface TopologyShape {
  name: string;
  kind: 'product' | 'bare';
  processes: number;
  lanes: number;
}

export const BARE: TopologyShape = { name: 'bare', kind: 'bare', processes: 1, lanes: 1 };
export const TOPOLOGIES: readonly TopologyShape[] = [
  { name: '1x1', kind: 'product', processes: 1, lanes: 1 },
  { name: '1x32', kind: 'product', processes: 1, lanes: 32 },
  { name: '2x4', kind: 'product', processes: 2, lanes: 4 },
];

/** A file of its own with processes that wait for rounds. */
export interface Topology {
  shape: TopologyShape;
  /** All processes at once; one report each. Faults: when one of them ends instead. */
  round(limit: Omit<RoundOrder, 'lanes'>): Promise<RoundReport[]>;
  /** Ends the processes in good order, then deletes the file. */
  close(): Promise<void>;
}

/** `wrapper` is put before the command of every process, e.g. strace with its options. */
export async function openTopology(shape: TopologyShape, wrapper: string[] = []): Promise<Topology> {
  const fixture = openStoreFixture();
  const words = [shape.kind, fixture.path, fixture.dataKey.toString('hex'), fixture.configuration.id];
  const execPath = wrapper[0] ?? process.execPath;
  const execArgv = wrapper.length > 0 ? [...wrapper.slice(1), process.execPath] : [];
  const processes = Array.from({ length: shape.processes }, () =>
    fork(join(import.meta.dirname, 'cycle-process.ts'), words, { execPath, execArgv }),
  );
  await Promise.all(processes.map((each) => answerOf<string>(each)));
  return {
    shape,
    round(limit) {
      const answers = processes.map((each) => answerOf<RoundReport>(each));
      for (const each of processes) each.send(JSON.stringify({ ...limit, lanes: shape.lanes } satisfies RoundOrder));
      return Promise.all(answers);
    },
    async close() {
      const ended = processes.map((each) => once(each, 'exit'));
      for (const each of processes) each.disconnect();
      await Promise.all(ended);
      fixture.dispose();
    },
  };
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null): void => reject(new Error(`A process of the bench ended with ${code}.`));
    child.once('exit', end);
    child.once('message', (message) => {
      child.off('exit', end);
      resolve(message as T);
    });
  });
}

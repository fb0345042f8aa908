import type { Supervisor } from '../../src-main/workers/supervisor.ts';
import { rounded, sum } from './figures.ts';
import { residentBytes } from './process-usage.ts';

const LOOK_MS = 5_000;
/** Caches fill and the compiler works at first: only the rest of the time is judged. */
const JUDGED_SHARE = 0.7;
/** A slope over less is made of collections of garbage, not of leaks. */
const SHORTEST_JUDGED_MINUTES = 10;
const AIM_MEGABYTES_PER_MINUTE = 1;

/** Memory at one moment, in megabytes. */
interface Look {
  minute: number;
  host: number;
  /** Of the host's own values: grows with a leak of ours, not with what allocator and libraries keep. */
  hostHeap: number;
  /** Middle of the workers that live at this moment: one that was killed begins again from little. */
  workers: number;
}

export interface MemoryVerdict {
  judgedMinutes: number;
  hostMegabytesPerMinute: number;
  /** Told beside the others and not judged: it says where a growth lies. */
  hostHeapMegabytesPerMinute: number;
  workerMegabytesPerMinute: number;
  hostMegabytes: number;
  workerMegabytes: number;
  /** Null = it was watched for too short a time. */
  passed: boolean | null;
}

export interface MemoryWatch {
  stop(): MemoryVerdict;
}

/** Watches the memory of this process, the host, and of the workers of its pool. */
export function watchMemory(pool: Pick<Supervisor, 'workers'>): MemoryWatch {
  const looks: Look[] = [];
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const bytes = pool.workers().flatMap(({ pid }) => (pid === undefined ? [] : (residentBytes(pid) ?? [])));
    if (bytes.length === 0) return;
    looks.push({
      minute: (performance.now() - startedMs) / 60_000,
      host: process.memoryUsage.rss() / 2 ** 20,
      hostHeap: process.memoryUsage().heapUsed / 2 ** 20,
      workers: sum(bytes) / bytes.length / 2 ** 20,
    });
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return judge(looks);
    },
  };
}

function judge(looks: Look[]): MemoryVerdict {
  const last = looks.at(-1) ?? { minute: 0, host: 0, hostHeap: 0, workers: 0 };
  const judged = looks.filter(({ minute }) => minute >= last.minute * (1 - JUDGED_SHARE));
  const host = slope(judged.map(({ minute, host: value }) => [minute, value]));
  const hostHeap = slope(judged.map(({ minute, hostHeap: value }) => [minute, value]));
  const workers = slope(judged.map(({ minute, workers: value }) => [minute, value]));
  const judgedMinutes = last.minute * JUDGED_SHARE;
  return {
    judgedMinutes: rounded(judgedMinutes),
    hostMegabytesPerMinute: rounded(host),
    hostHeapMegabytesPerMinute: rounded(hostHeap),
    workerMegabytesPerMinute: rounded(workers),
    hostMegabytes: rounded(last.host),
    workerMegabytes: rounded(last.workers),
    passed: judgedMinutes < SHORTEST_JUDGED_MINUTES ? null : Math.max(host, workers) < AIM_MEGABYTES_PER_MINUTE,
  };
}

/** Of the straight line with the least squares through the points; 0 for fewer than two. */
function slope(points: [number, number][]): number {
  const middleX = sum(points.map(([x]) => x)) / points.length;
  const middleY = sum(points.map(([, y]) => y)) / points.length;
  const spreadX = sum(points.map(([x]) => (x - middleX) ** 2));
  return spreadX > 0 ? sum(points.map(([x, y]) => (x - middleX) * (y - middleY))) / spreadX : 0;
}

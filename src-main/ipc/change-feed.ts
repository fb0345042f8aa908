import type { PayloadOf, TopicName } from '../../src-shared/ipc/contract.ts';
import type { Clock } from '../domain/clock.ts';
import type { Report } from '../system/log.ts';
import type { TopicListener } from './service.ts';

/** What the store says of its log; the feed only reads. */
export interface ChangeSource {
  dataVersion(): number;
  changesAfter(seq: number): { lastSeq: number; runIds: string[] | null };
  configurationsStamp(): string;
}

export interface ChangeFeedOptions {
  source: ChangeSource;
  clock: Clock;
  report: Report;
}

export interface ChangeFeed {
  onTopic(listener: TopicListener): () => void;
  /** Something may have changed: look now. */
  nudge(): void;
  /** The workers themselves changed: one ended, one is ready. */
  nudgeHealth(): void;
  close(): Promise<void>;
}

/** A commit of another process that told nobody, such as the command line, is seen within this. */
const POLL_MS = 250;
/** At most one message per topic in this time, and always one after the last change. */
const DISTANCE_MS = 50;

/**
 * Turns commits into topics. Commits of this process and of its workers nudge it;
 * those of everybody else are found by looking at the file. What moved is always read
 * from the log of changes, so however often it is nudged, nothing is told twice.
 * Source: architecture.md §2 "changes".
 */
export function startChangeFeed({ source, clock, report }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Set<TopicListener>();
  const stopping = new AbortController();
  const look = createLook(source);
  let wakeUp = new AbortController();
  let isNudged = false;
  let isHealthMoved = false;

  const publish = <Name extends TopicName>(name: Name, payload: PayloadOf<Name>): void => {
    for (const listener of listeners) {
      try {
        listener(name, payload);
      } catch (error) {
        // One broken window must not keep the others from hearing.
        report(error, 'topics');
      }
    }
  };

  const turn = (): void => {
    const seen = look(isNudged);
    const hasMoved = seen.runIds === null || seen.runIds.length > 0;
    if (hasMoved) publish('runs.changed', { runIds: seen.runIds ?? [] });
    if (hasMoved || isHealthMoved) publish('host.healthChanged', {});
    if (seen.hasConfigurations) publish('configurations.changed', {});
    isHealthMoved = false;
  };

  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    try {
      await clock.pause(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!isNudged) await pause(POLL_MS, AbortSignal.any([wakeUp.signal, stopping.signal]));
      if (stopping.signal.aborted) return;
      wakeUp = new AbortController();
      try {
        turn();
      } catch (error) {
        report(error, 'change feed');
      }
      isNudged = false;
      await pause(DISTANCE_MS, stopping.signal);
    }
  };

  const nudge = (): void => {
    isNudged = true;
    wakeUp.abort();
  };
  const running = run();
  return {
    onTopic(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nudge,
    nudgeHealth() {
      isHealthMoved = true;
      nudge();
    },
    async close() {
      stopping.abort();
      await running;
      listeners.clear();
    },
  };
}

interface Seen {
  /** Null = too many to name. */
  runIds: string[] | null;
  hasConfigurations: boolean;
}

/** Remembers where it looked last. Unless told to look, a file that nobody else wrote to is not read. */
function createLook(source: ChangeSource): (isNudged: boolean) => Seen {
  let version = source.dataVersion();
  let { lastSeq } = source.changesAfter(-1);
  let stamp = source.configurationsStamp();
  return (isNudged) => {
    const before = { version, stamp };
    version = source.dataVersion();
    if (!isNudged && version === before.version) return { runIds: [], hasConfigurations: false };
    const changes = source.changesAfter(lastSeq);
    lastSeq = changes.lastSeq;
    stamp = source.configurationsStamp();
    return { runIds: changes.runIds, hasConfigurations: stamp !== before.stamp };
  };
}

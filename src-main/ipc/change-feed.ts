import type { PayloadOf, TopicName } from '../../src-shared/ipc/contract.ts';
import type { Clock } from '../domain/clock.ts';
import type { Report } from '../system/log.ts';
import type { TopicListener } from './service.ts';

/** What the store says of its log; the feed only reads. */
export interface ChangeSource {
  dataVersion(): number;
  changesAfter(seq: number): { lastSeq: number; runIds: string[] | null; hasInstallation: boolean };
  configurationsStamp(): string;
}

export interface ChangeFeedOptions {
  source: ChangeSource;
  clock: Clock;
  report: Report;
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
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #look: (isNudged: boolean) => Seen;
  readonly #listeners = new Set<TopicListener>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #wakeUp = new AbortController();
  #isNudged = false;
  #isHealthMoved = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#look = createLook(options.source);
    this.#running = this.#run();
  }

  /** Tells the listener until the returned function is called. */
  onTopic(listener: TopicListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may have changed: look now. */
  nudge(): void {
    this.#isNudged = true;
    this.#wakeUp.abort();
  }

  /** The workers themselves changed: one ended, one is ready. */
  nudgeHealth(): void {
    this.#isHealthMoved = true;
    this.nudge();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#listeners.clear();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (!this.#isNudged) await this.#pause(POLL_MS, AbortSignal.any([this.#wakeUp.signal, signal]));
      if (signal.aborted) return;
      this.#wakeUp = new AbortController();
      try {
        this.#tell();
      } catch (error) {
        this.#options.report(error, 'change feed');
      }
      await this.#pause(DISTANCE_MS, signal);
    }
  }

  #tell(): void {
    const isNudged = this.#isNudged;
    const isHealthMoved = this.#isHealthMoved;
    // Before looking: what is nudged from now on is looked at again.
    this.#isNudged = false;
    this.#isHealthMoved = false;
    const seen = this.#look(isNudged);
    const hasMoved = seen.runIds === null || seen.runIds.length > 0;
    if (hasMoved) this.#publish('runs.changed', { runIds: seen.runIds ?? [] });
    if (hasMoved || isHealthMoved || seen.hasInstallation) this.#publish('host.healthChanged', {});
    if (seen.hasConfigurations) this.#publish('configurations.changed', {});
  }

  #publish<Name extends TopicName>(name: Name, payload: PayloadOf<Name>): void {
    for (const listener of this.#listeners) {
      try {
        listener(name, payload);
      } catch (error) {
        // One broken window must not keep the others from hearing.
        this.#options.report(error, 'topics');
      }
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.clock.pause(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

interface Seen {
  /** Null = too many to name. */
  runIds: string[] | null;
  hasConfigurations: boolean;
  /** The installation as a whole, such as a pause. */
  hasInstallation: boolean;
}

/** Remembers where it looked last. Unless told to look, a file that nobody else wrote to is not read. */
function createLook(source: ChangeSource): (isNudged: boolean) => Seen {
  let version = source.dataVersion();
  let { lastSeq } = source.changesAfter(-1);
  let stamp = source.configurationsStamp();
  return (isNudged) => {
    const before = { version, stamp };
    version = source.dataVersion();
    if (!isNudged && version === before.version)
      return { runIds: [], hasConfigurations: false, hasInstallation: false };
    const changes = source.changesAfter(lastSeq);
    lastSeq = changes.lastSeq;
    stamp = source.configurationsStamp();
    const { runIds, hasInstallation } = changes;
    return { runIds, hasInstallation, hasConfigurations: stamp !== before.stamp };
  };
}

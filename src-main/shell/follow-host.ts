import type { TopicName } from '../../src-shared/ipc/contract.ts';
import type { HealthView } from '../../src-shared/views/health-view.ts';
import type { InboxView } from '../../src-shared/views/inbox-view.ts';
import type { Service } from '../ipc/service.ts';
import type { Report } from '../system/log.ts';

/** One fact of the host that the shell shows: how it is asked for, and which topic says that it may have changed. */
export interface HostFact<T extends number | boolean> {
  topic: TopicName;
  ask(service: Pick<Service, 'call'>): Promise<T>;
}

/** How many runs wait for a person. */
export const WAITING_COUNT: HostFact<number> = {
  topic: 'runs.changed',
  async ask(service) {
    const { counts } = (await valueOf(service, 'inbox.overview', { waitingLimit: 1 })) as InboxView;
    return counts.waiting_for_approval + counts.waiting_for_input;
  },
};

/** Whether everything is paused. */
export const IS_PAUSED: HostFact<boolean> = {
  topic: 'host.healthChanged',
  ask: async (service) => ((await valueOf(service, 'host.health', {})) as HealthView).paused !== null,
};

async function valueOf(service: Pick<Service, 'call'>, name: string, input: object): Promise<unknown> {
  const reply = await service.call(name, input);
  if (!reply.ok) throw new Error(`The host does not answer ${name}: ${JSON.stringify(reply)}`);
  return reply.value;
}

export interface FollowOptions<T> {
  service: Service;
  report: Report;
  /** At least this long between two looks, however often it changes. */
  pause(): Promise<void>;
  tell(value: T): void;
}

/**
 * Tells a fact of the host: now, and whenever it may have changed, also when it is as it was: who is told may have
 * learned otherwise meanwhile. Changes that come while it looks are one more look. Returns how to stop it.
 */
export function followHost<T extends number | boolean>(
  fact: HostFact<T>,
  { service, report, pause, tell }: FollowOptions<T>,
): () => void {
  let isLooking = false;
  let isStale = false;
  const over = new AbortController();

  async function look(): Promise<void> {
    isStale = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isStale && !over.signal.aborted) {
        isStale = false;
        const value = await fact.ask(service);
        if (!over.signal.aborted) tell(value);
        await pause();
      }
    } finally {
      isLooking = false;
    }
  }

  const lookAgain = (): void => void look().catch((error: unknown) => report(error, fact.topic));
  const stopListening = service.onTopic((name) => {
    if (name === fact.topic) lookAgain();
  });
  lookAgain();
  return () => {
    over.abort();
    stopListening();
  };
}

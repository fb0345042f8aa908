import type { Bridge } from '../../../src-shared/ipc/bridge.ts';
import type { TopicName } from '../../../src-shared/ipc/contract.ts';
import { CALL_NAMES, TOPIC_NAMES } from '../../../src-shared/ipc/entry-names.ts';
import type { Reply } from '../../../src-shared/ipc/entry.ts';
import { CALL_CHANNEL, TOPIC_CHANNEL, TOPICS_CHANNEL } from '../../../src-shared/ipc/window-wire.ts';

/** What the bridge needs of Electron's `ipcRenderer`. */
export interface PagePort {
  invoke(channel: string, ...values: unknown[]): Promise<unknown>;
  send(channel: string, ...values: unknown[]): void;
  on(channel: string, listener: (event: unknown, ...values: unknown[]) => void): unknown;
}

interface Subscription {
  name: TopicName;
  listener(payload: unknown): void;
}

/**
 * The page's only way to its host: calls and topics of the contract by name. The host
 * is told which topics this page listens to, so that a page gets nothing it did not ask
 * for. A name outside the contract never leaves the window.
 */
export function createBridge(port: PagePort): Bridge {
  const subscriptions = new Map<number, Subscription>();
  let lastNumber = 0;
  const tellTopics = (): void =>
    port.send(TOPICS_CHANNEL, [...new Set([...subscriptions.values()].map(({ name }) => name))]);
  port.on(TOPIC_CHANNEL, (_event, name, payload) => {
    // A list of its own: a listener may subscribe and unsubscribe while it is told.
    const listening = [...subscriptions.values()].filter((subscription) => subscription.name === name);
    for (const { listener } of listening) listener(payload);
  });
  // Whatever the page before this one listened to is over.
  tellTopics();

  return {
    async invoke(name, input) {
      if (!CALL_NAMES.has(name)) return { ok: false, fault: { code: 'unknown_channel', reference: 'not-sent' } };
      return (await port.invoke(CALL_CHANNEL, name, input)) as Reply;
    },
    subscribe(name, listener) {
      if (!TOPIC_NAMES.has(name)) throw new Error('There is no such topic.');
      lastNumber += 1;
      subscriptions.set(lastNumber, { name, listener });
      tellTopics();
      return lastNumber;
    },
    unsubscribe(subscription) {
      if (subscriptions.delete(subscription)) tellTopics();
    },
  };
}

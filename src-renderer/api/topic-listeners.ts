import type { PayloadOf, TopicName } from '../../src-shared/ipc/contract.ts';

/** What each topic says when messages may have been missed: look at everything again. */
const LOOK_AGAIN: { [Name in TopicName]: PayloadOf<Name> } = {
  'runs.changed': { runIds: [] },
  'configurations.changed': {},
  'host.healthChanged': {},
};

type Listener = (payload: unknown) => void;

/** Who listens to which topic on this page. */
export class TopicListeners {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns the way to stop listening. */
  add(name: TopicName, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  tell(name: string, payload: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(payload);
  }

  /** After a gap in the connection: nobody knows what was missed. */
  lookAgain(): void {
    for (const [name, payload] of Object.entries(LOOK_AGAIN)) this.tell(name, payload);
  }
}

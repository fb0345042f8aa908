import type { TopicName } from '../../src-shared/ipc/contract.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';

/** The host as a transport sees it, for one signed-in person. */
export interface Service {
  call(name: string, input: unknown): Promise<Reply>;
  /** Tells the listener until the returned function is called. */
  onTopic(listener: (name: TopicName, payload: unknown) => void): () => void;
}

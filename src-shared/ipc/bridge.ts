import type { PayloadOf, TopicName } from './contract.ts';
import type { Reply } from './entry.ts';

/**
 * What the preload script of the window puts on `window.countersign`: names of the
 * contract and plain data, nothing else of Electron. Any other name is answered with
 * a fault, here and again in the host.
 */
export interface Bridge {
  invoke(name: string, input: unknown): Promise<Reply>;
  /** Returns the number to unsubscribe with. Faults: a name that is no topic. */
  subscribe<Name extends TopicName>(name: Name, listener: (payload: PayloadOf<Name>) => void): number;
  unsubscribe(subscription: number): void;
}

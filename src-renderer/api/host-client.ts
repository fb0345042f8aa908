import type { Client, CommandAnswer, OutputOf, TopicName } from '../../src-shared/ipc/contract.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import type { Connection } from './connection.ts';
import { HostFault } from './host-fault.ts';

/** How calls and topics travel: one for the window's bridge, one for the loopback host. */
export interface Transport {
  /** Faults: `HostFault` when the host cannot be reached. */
  send(name: string, input: unknown): Promise<Reply>;
  onTopic(name: TopicName, listener: (payload: unknown) => void): () => void;
  connection: Connection;
  /** Tries to reach the host now instead of later. */
  reconnect(): void;
}

/** The client of a real host: its calls, its topics, and whether it is there at all. */
export interface HostClient extends Client {
  connection: Connection;
  reconnect(): void;
}

/** The typed client over a transport. A fault of the host is thrown; a refusal is an answer. */
export function createHostClient(transport: Transport): HostClient {
  /** Name and input went through the host's checks, and so did the answer: what comes back fits the contract. */
  async function send(name: string, input: unknown): Promise<Exclude<Reply, { fault: unknown }>> {
    const reply = await transport.send(name, input);
    if ('fault' in reply) throw new HostFault(reply.fault.code, reply.fault.reference);
    return reply;
  }
  return {
    connection: transport.connection,
    reconnect: () => transport.reconnect(),
    async query(name, input) {
      const reply = await send(name, input);
      if (!reply.ok) throw new HostFault('internal');
      return reply.value as OutputOf<typeof name>;
    },
    command: async (name, input) => (await send(name, input)) as CommandAnswer<typeof name>,
    subscribe: (name, listener) => transport.onTopic(name, listener as (payload: unknown) => void),
  };
}

import type { Bridge } from '../../src-shared/ipc/bridge.ts';
import { createConnection } from './connection.ts';
import { HostFault } from './host-fault.ts';
import type { Transport } from './host-client.ts';

declare global {
  interface Window {
    /** Put there by the preload script; absent in a browser. */
    countersign?: Bridge;
  }
}

/** The way through the window's preload script. The host is the window's own process: while there is a window, it is there. */
export function createBridgeTransport(bridge: Bridge): Transport {
  return {
    connection: createConnection('connected'),
    reconnect: () => undefined,
    async send(name, input) {
      try {
        return await bridge.invoke(name, input);
      } catch (cause) {
        throw new HostFault('disconnected', '', cause);
      }
    },
    onTopic(name, listener) {
      const subscription = bridge.subscribe(name, listener);
      return () => bridge.unsubscribe(subscription);
    },
  };
}

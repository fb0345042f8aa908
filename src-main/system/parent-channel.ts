/** The way to the process that forked this one. */
export interface ParentChannel<Received, Sent> {
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
  /** Whether the parent can still be reached. */
  isOpen(): boolean;
  /** The parent is gone, however it ended. */
  onClose(listener: () => void): void;
}

/** The part of Electron's utility-process port that is used here; its types are not, so that plain Node starts never need them. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

/**
 * The channel to the parent: `process.send` under Node, `process.parentPort` in an
 * Electron utility process.
 * Faults: when this process was not forked.
 */
export function parentChannel<Received, Sent>(): ParentChannel<Received, Sent> {
  const port = (process as unknown as { parentPort?: UtilityPort }).parentPort;
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', (event) => listener(event.data as Received)),
      // A utility process is ended by Electron itself when its host is gone.
      isOpen: () => true,
      onClose: () => undefined,
    };
  }
  if (!process.send) throw new Error('This program is started by the console, not by hand.');
  return {
    send(message) {
      // A message to a parent that just died is lost like the parent; `disconnect` says so.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => void process.on('message', (message) => listener(message as Received)),
    isOpen: () => process.connected,
    onClose: (listener) => void process.on('disconnect', listener),
  };
}

import type { Reply } from '../../src-shared/ipc/entry.ts';
import { createConnection, setConnection } from './connection.ts';
import { HostFault } from './host-fault.ts';
import { codeOfAddress, HttpSession } from './http-session.ts';
import type { Transport } from './host-client.ts';
import { TopicListeners } from './topic-listeners.ts';
import { openTopicSocket } from './topic-socket.ts';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * The way to the loopback host: calls by POST, topics over one WebSocket. The socket
 * also tells whether the host is there; a lost one is opened again with growing pauses,
 * and everything is looked at again then.
 */
export function createHttpTransport(): Transport {
  const session = new HttpSession();
  const connection = createConnection('connecting');
  const listeners = new TopicListeners();
  let retryMs = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasGap = false;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      openTopicSocket(await session.token(), {
        onReady() {
          retryMs = FIRST_RETRY_MS;
          setConnection(connection, 'connected');
          if (hasGap) listeners.lookAgain();
          hasGap = false;
        },
        onTopic: (name, payload) => listeners.tell(name, payload),
        onEnd: (isRefused) => (isRefused ? setConnection(connection, 'signed_out') : retry()),
      });
    } catch (error) {
      if (error instanceof HostFault && error.code === 'signed_out') setConnection(connection, 'signed_out');
      else retry();
    }
  }

  function retry(): void {
    hasGap = true;
    setConnection(connection, 'lost');
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  async function send(name: string, input: unknown): Promise<Reply> {
    const token = await session.token();
    const response = await post(`/call/${name}`, token, input);
    if (response.status === 401) {
      setConnection(connection, 'signed_out');
      throw new HostFault('signed_out');
    }
    if (!response.ok) throw new HostFault(response.status === 413 ? 'bad_input' : 'internal');
    return (await response.json()) as Reply;
  }

  startOverOnNewAddress();
  void connect();
  return {
    send,
    connection,
    onTopic: (name, listener) => listeners.add(name, listener),
    reconnect() {
      // Only while a retry is pending: an open socket, or one being opened, is left alone.
      if (timer !== undefined) void connect();
    },
  };
}

/** A new address of the host put into this tab changes the fragment only; starting over takes its code. */
function startOverOnNewAddress(): void {
  addEventListener('hashchange', () => {
    if (codeOfAddress() !== null) location.reload();
  });
}

async function post(path: string, token: string, input: unknown): Promise<Response> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(input),
    });
  } catch (cause) {
    throw new HostFault('disconnected', '', cause);
  }
}

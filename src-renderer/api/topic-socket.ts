import { TOPICS_REFUSED, type TopicsMessage } from '../../src-shared/ipc/http-wire.ts';

export interface TopicSocketEvents {
  /** The token was accepted. */
  onReady(): void;
  onTopic(name: string, payload: unknown): void;
  /** Once. `isRefused` = the host does not know the token; opening another socket with it is of no use. */
  onEnd(isRefused: boolean): void;
}

/** One WebSocket for all topics. The token goes in the first message: a browser can set no header, and an address must not hold it. */
export function openTopicSocket(token: string, events: TopicSocketEvents): void {
  const socket = new WebSocket(`ws://${location.host}/topics`);
  socket.addEventListener('open', () => socket.send(JSON.stringify({ token })));
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as TopicsMessage;
    if ('ready' in message) events.onReady();
    else events.onTopic(message.topic, message.payload);
  });
  socket.addEventListener('close', ({ code }) => events.onEnd(code === TOPICS_REFUSED));
}

import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import { isTopicName } from '../../src-shared/ipc/contract.ts';
import type { Fault, Reply } from '../../src-shared/ipc/entry.ts';
import { CALL_CHANNEL, TOPIC_CHANNEL, TOPICS_CHANNEL } from '../../src-shared/ipc/window-wire.ts';
import type { Service } from '../ipc/service.ts';
import type { Report } from '../system/log.ts';
import { isOurPage } from './sender-rules.ts';
import { createTopicFanOut } from './topic-fan-out.ts';

export interface WindowTransportOptions {
  ipc: Pick<IpcMain, 'handle' | 'on'>;
  service: Service;
  /** Whether the contents with this id are a window's that we opened. */
  isOurs(contentsId: number): boolean;
  report: Report;
  newReference(): string;
}

/**
 * Connects the windows with the host. Only our page in the main frame of a window of
 * ours is answered; any other sender gets a fault without a detail, and is reported.
 * What a call means, and for whom, the service alone decides.
 * Source: architecture.md §9.
 */
export function serveWindows({ ipc, service, isOurs, report, newReference }: WindowTransportOptions): void {
  const fanOut = createTopicFanOut();
  const watched = new WeakSet<WebContents>();
  service.onTopic((name, payload) => fanOut.publish(name, payload));

  function fault(code: Fault['code'], error: unknown): Reply {
    const reference = newReference();
    report(error, `window call ${reference}`);
    return { ok: false, fault: { code, reference } };
  }

  ipc.handle(CALL_CHANNEL, async (event: IpcMainInvokeEvent, name: unknown, input: unknown): Promise<Reply> => {
    if (!isOurPage(event, isOurs)) return fault('not_allowed', new Error('A call came from a page that is not ours.'));
    if (typeof name !== 'string') return fault('unknown_channel', new Error('A call came without a name.'));
    try {
      return await service.call(name, input);
    } catch (error) {
      return fault('internal', error);
    }
  });

  ipc.on(TOPICS_CHANNEL, (event: IpcMainEvent, names: unknown) => {
    if (!isOurPage(event, isOurs) || !isTopicList(names)) {
      report(
        new Error('A list of topics was refused: it is not from our page, or not of our topics.'),
        'window topics',
      );
      return;
    }
    const { sender } = event;
    const page = sender.id;
    if (!watched.has(sender)) {
      watched.add(sender);
      sender.once('destroyed', () => fanOut.forget(page));
      sender.on('render-process-gone', () => fanOut.forget(page));
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page of ours, checked above
    fanOut.want(page, names, (name, payload) => sender.send(TOPIC_CHANNEL, name, payload));
  });
}

function isTopicList(names: unknown): names is string[] {
  return Array.isArray(names) && names.every((name) => typeof name === 'string' && isTopicName(name));
}

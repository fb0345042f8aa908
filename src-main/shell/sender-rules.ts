import { PAGE_ORIGIN } from './page-address.ts';

/** What a message from a window tells about who sent it, as Electron has it. */
export interface SenderEvent {
  sender: { id: number; mainFrame: unknown };
  /** Null when the frame is gone by the time the message is read. */
  senderFrame: { origin: string } | null;
}

/**
 * Whether a message comes from our page: the main frame of a window of ours, at the
 * page's origin. A frame inside the page, another page or a window that somebody else
 * made is nobody.
 */
export function isOurPage(event: SenderEvent, isOurs: (contentsId: number) => boolean): boolean {
  try {
    const { sender, senderFrame } = event;
    if (!isOurs(sender.id) || senderFrame === null) return false;
    return senderFrame === sender.mainFrame && senderFrame.origin === PAGE_ORIGIN;
  } catch {
    // Electron throws on every look at a frame that has gone: whoever it was is not there any more.
    return false;
  }
}

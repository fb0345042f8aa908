import type { InboxView } from '../../src-shared/views/inbox-view.ts';
import type { Service } from '../ipc/service.ts';
import type { Report } from '../system/log.ts';

export interface WaitingCountOptions {
  service: Service;
  report: Report;
  /** At least this long between two looks, however often runs change. */
  pause(): Promise<void>;
  tell(count: number): void;
}

/**
 * Tells how many runs wait for a person: now, and whenever it has changed. Changes that
 * come while it looks are one more look. Returns how to stop it.
 */
export function followWaitingCount({ service, report, pause, tell }: WaitingCountOptions): () => void {
  let isLooking = false;
  let isStale = false;
  const over = new AbortController();
  let told: number | null = null;

  async function look(): Promise<void> {
    isStale = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isStale && !over.signal.aborted) {
        isStale = false;
        const count = await waitingCount(service);
        if (!over.signal.aborted && count !== told) tell((told = count));
        await pause();
      }
    } finally {
      isLooking = false;
    }
  }

  const lookAgain = (): void => void look().catch((error: unknown) => report(error, 'waiting count'));
  const stopListening = service.onTopic((name) => {
    if (name === 'runs.changed') lookAgain();
  });
  lookAgain();
  return () => {
    over.abort();
    stopListening();
  };
}

async function waitingCount(service: Service): Promise<number> {
  const reply = await service.call('inbox.overview', { waitingLimit: 1 });
  if (!reply.ok) throw new Error(`The inbox does not answer: ${JSON.stringify(reply)}`);
  const { counts } = reply.value as InboxView;
  return counts.waiting_for_approval + counts.waiting_for_input;
}

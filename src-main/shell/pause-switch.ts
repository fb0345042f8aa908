import type { Service } from '../ipc/service.ts';
import type { Report } from '../system/log.ts';

/** The brake in menu and tray. Only a person's click moves it; whether they may is asked in the host. */
export interface PauseSwitch {
  /** How the host says it stands. Drawn only when it is new: a menu that is drawn again closes under the person's hand. */
  show(isPaused: boolean): void;
  /** A person wants the other state. */
  turn(): void;
}

export interface PauseSwitchOptions {
  service: Pick<Service, 'call'>;
  report: Report;
  /** Puts the state where a person sees it. */
  draw(isPaused: boolean): void;
  /** Tells why it did not move. */
  refuse(): void;
}

/**
 * A switch that shows what the host says and nothing else: a menu ticks its item by
 * itself when it is clicked, so it is drawn again whatever the click came to.
 */
export function createPauseSwitch({ service, report, draw, refuse }: PauseSwitchOptions): PauseSwitch {
  let isPaused = false;
  async function turn(): Promise<void> {
    // The host may tell how it stands, or a second click come, before it answers.
    const wanted = !isPaused;
    try {
      const reply = await service.call('host.setPause', { isPaused: wanted });
      if (reply.ok) isPaused = wanted;
      else refuse();
    } finally {
      draw(isPaused);
    }
  }
  return {
    show(now) {
      if (now === isPaused) return;
      isPaused = now;
      draw(now);
    },
    turn: () => void turn().catch((error: unknown) => report(error, 'pause')),
  };
}

import type { Handlers } from '../../src-shared/ipc/contract.ts';
import { accepted } from '../../src-shared/refusals.ts';
import type { HealthView } from '../../src-shared/views/health-view.ts';
import type { SessionView } from '../../src-shared/views/session-view.ts';
import type { Actor } from '../domain/actor.ts';
import type { Runtime } from '../runtime/runtime.ts';

type HostHandlers = Pick<Handlers, Extract<keyof Handlers, `host.${string}`>>;

/** What the host says of itself, and how another window comes about. */
export interface HostFacts extends Omit<SessionView, 'operatorName' | 'isAdmin'> {
  workers(): Pick<HealthView, 'workers' | 'lastWorkerEndAtMs'>;
  /** Whether the disk has room for new work. */
  hasRoom(): boolean;
  /** The address to open, once; null = the window was opened. */
  openWindow(): Promise<string | null>;
}

const NOTHING_SEEN: HealthView = {
  queued: 0,
  running: 0,
  waiting: 0,
  oldestWaitingSinceMs: 0,
  workers: [],
  lastWorkerEndAtMs: 0,
  paused: null,
  restored: 0,
  isDiskLow: false,
};

/** The host itself, for one signed-in person. Someone who may not use the installation any more sees nothing of its queue. */
export function createHostHandlers(runtime: Runtime, actor: Actor, facts: HostFacts): HostHandlers {
  return {
    async 'host.session'() {
      const person = await runtime.person(actor);
      const { surface, version, database, keyProtection } = facts;
      return {
        operatorName: person?.name ?? '',
        isAdmin: person?.isEnabled === true && person.isAdmin,
        surface,
        version,
        database,
        keyProtection,
      };
    },
    async 'host.health'() {
      const figures = await runtime.queueFigures(actor);
      if (!figures) {
        return { ...NOTHING_SEEN };
      }
      const { counts, oldestWaitingSinceMs } = figures;
      const { workers, lastWorkerEndAtMs } = facts.workers();
      const pause = await runtime.pause();
      return {
        queued: counts.queued,
        running: counts.running,
        waiting: counts.waiting_for_approval + counts.waiting_for_input,
        oldestWaitingSinceMs,
        workers: workers.map(({ state, restarts }) => ({ state, restarts })),
        lastWorkerEndAtMs,
        paused: pause.isPaused ? { sinceMs: pause.atMs, byName: pause.operatorName } : null,
        restored: (await runtime.restoredRuns()).length,
        isDiskLow: !facts.hasRoom(),
      };
    },
    async 'host.setPause'({ isPaused }) {
      const result = await runtime.setPause(actor, isPaused);
      return result.ok ? accepted({ isPaused: result.value.isPaused }) : result;
    },
    'host.openWindow': async () => accepted({ address: await facts.openWindow() }),
  };
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../../src-shared/ipc/contract.ts';
import { giveCommand, type CommandFailure } from '../../api/give-command.ts';

/** `idle` = nothing was pressed, or what came of it was read and put away. */
export type FirstRunState = { phase: 'idle' | 'working' } | { phase: 'failed'; failure: CommandFailure };

export interface FirstRunStore {
  store: StoreApi<FirstRunState>;
  /** The started run's id; null when it came to nothing, or is under way already. */
  trySample(): Promise<string | null>;
  /** Puts a failure away. */
  close(): void;
}

/**
 * The one click that builds the sample site and starts a run on it. After a run was
 * started it stays `working`: the screen leaves for the run.
 */
export function createFirstRunStore(client: Client): FirstRunStore {
  const store = createStore<FirstRunState>(() => ({ phase: 'idle' }));
  return {
    store,
    async trySample() {
      if (store.getState().phase === 'working') return null;
      store.setState({ phase: 'working' }, true);
      const answer = await giveCommand(client, 'configurations.trySample', {});
      if (answer.ok) return answer.value.runId;
      store.setState({ phase: 'failed', failure: answer }, true);
      return null;
    },
    close: () => store.setState({ phase: 'idle' }, true),
  };
}

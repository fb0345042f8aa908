import { useState } from 'react';
import { useClient } from '../api/client-context.ts';
import { giveCommand, type CommandFailure } from '../api/give-command.ts';

/** Pausing or resuming everything, behind one button. Success shows by the notice above every screen. */
export function usePause(isPaused: boolean): { isBusy: boolean; failure: CommandFailure | null; press(): void } {
  const client = useClient();
  const [state, setState] = useState<{ isBusy: boolean; failure: CommandFailure | null }>({
    isBusy: false,
    failure: null,
  });
  async function give(): Promise<void> {
    setState({ isBusy: true, failure: null });
    const answer = await giveCommand(client, 'host.setPause', { isPaused });
    setState({ isBusy: false, failure: answer.ok ? null : answer });
  }
  return {
    ...state,
    press() {
      if (!state.isBusy) void give();
    },
  };
}

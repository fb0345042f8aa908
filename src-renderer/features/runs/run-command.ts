import { useState } from 'react';
import type { Refusal } from '../../../src-shared/refusals.ts';
import { asHostFault, type HostFault } from '../../api/host-fault.ts';

/** What came of the last press: at work, refused, broken, or nothing to say. */
export interface CommandState {
  isBusy: boolean;
  refusal: Refusal | null;
  fault: HostFault | null;
}

/** One command behind one button: cannot be pressed twice, and says what came of it. Success shows by what changes on the screen. */
export function useRunCommand(
  send: () => Promise<{ ok: true } | { ok: false; refusal: Refusal }>,
): CommandState & { press(): void } {
  const [state, setState] = useState<CommandState>({ isBusy: false, refusal: null, fault: null });
  async function run(): Promise<void> {
    setState({ isBusy: true, refusal: null, fault: null });
    try {
      const answer = await send();
      setState({ isBusy: false, refusal: answer.ok ? null : answer.refusal, fault: null });
    } catch (error) {
      setState({ isBusy: false, refusal: null, fault: asHostFault(error) });
    }
  }
  return {
    ...state,
    press() {
      if (!state.isBusy) void run();
    },
  };
}

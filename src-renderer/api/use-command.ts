import { useState } from 'react';
import type { CommandName, InputOf } from '../../src-shared/ipc/contract.ts';
import { useClient } from './client-context.ts';
import { giveCommand, type CommandFailure } from './give-command.ts';

/** One command behind one button. Success shows by what changes on the screen. */
export interface PressedCommand {
  isBusy: boolean;
  /** What came of the last press. */
  failure: CommandFailure | null;
  press(): void;
}

/** A command that cannot be given twice at once. */
export function useCommand<Name extends CommandName>(name: Name, input: InputOf<Name>): PressedCommand {
  const client = useClient();
  const [state, setState] = useState<Omit<PressedCommand, 'press'>>({ isBusy: false, failure: null });
  async function give(): Promise<void> {
    setState({ isBusy: true, failure: null });
    const answer = await giveCommand(client, name, input);
    setState({ isBusy: false, failure: answer.ok ? null : answer });
  }
  return {
    ...state,
    press() {
      if (!state.isBusy) void give();
    },
  };
}

import { useState } from 'react';
import type { CommandName, InputOf } from '../../../src-shared/ipc/contract.ts';
import { useClient } from '../../api/client-context.ts';
import { giveCommand, type CommandFailure } from '../../api/give-command.ts';

/** One command behind one button. Success shows by what changes on the screen. */
export interface RunCommand {
  isBusy: boolean;
  /** What came of the last press. */
  failure: CommandFailure | null;
  press(): void;
}

/** A command about one run that cannot be given twice at once. */
export function useRunCommand<Name extends CommandName>(name: Name, input: InputOf<Name>): RunCommand {
  const client = useClient();
  const [state, setState] = useState<Omit<RunCommand, 'press'>>({ isBusy: false, failure: null });
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

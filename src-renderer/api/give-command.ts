import type { Client, CommandAnswer, CommandName, InputOf } from '../../src-shared/ipc/contract.ts';
import type { Refusal } from '../../src-shared/refusals.ts';
import { asHostFault, type HostFault } from './host-fault.ts';

/** Why a command did nothing: refused, which is certain, or broken on its way, which is not. */
export type CommandFailure = { refusal: Refusal } | { fault: HostFault };

/** Gives a command and returns whatever it comes to, a fault as well: a form has to show both. */
export async function giveCommand<Name extends CommandName>(
  client: Client,
  name: Name,
  input: InputOf<Name>,
): Promise<CommandAnswer<Name> | { ok: false; fault: HostFault }> {
  try {
    return await client.command(name, input);
  } catch (error) {
    return { ok: false, fault: asHostFault(error) };
  }
}

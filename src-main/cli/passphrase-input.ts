import type { Result } from '../../src-shared/refusals.ts';
import { openAs } from '../compose-people.ts';
import type { Console } from '../compose.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { environmentVariable } from '../system/environment.ts';
import { textOption, UsageError, type Invocation } from './command.ts';

/*
 * Passphrases of people come from the terminal, where they are not shown, or from the
 * environment; never as an argument, which every process of the machine can read.
 */

/** Of the person a command is given for: of `--as`, or of the person that `operator` is about. */
const OWN = 'COUNTERSIGN_OPERATOR_PASSPHRASE';
/** Of the person that `operator` is about, where `--as` names another one already. */
const NEW = 'COUNTERSIGN_NEW_PASSPHRASE';

/** Opens the installation for the person that --as names. Refuses and faults: see `openAs`; `UsageError`. */
export function openAsNamed(invocation: Invocation, name: string): Promise<Result<Console>> {
  if (name.trim() === '') throw new UsageError('--as names nobody.');
  return openAs(
    invocation.open(),
    name,
    async () => environmentVariable(OWN) ?? (await asked(invocation, `Passphrase of ${plainLine(name)}: `, OWN)),
  );
}

/** A passphrase to be kept, at the terminal typed twice. Faults: `UsageError`. */
export async function newPassphrase(invocation: Invocation, name: string): Promise<string> {
  const variable = textOption(invocation, 'as') === undefined ? OWN : NEW;
  const given = environmentVariable(variable);
  if (given !== null) return given;
  const first = await asked(invocation, `New passphrase of ${plainLine(name)}: `, variable);
  if (first !== (await asked(invocation, 'Once more: ', variable)))
    throw new UsageError('The two are not the same. Nothing was changed.');
  return first;
}

/** Faults: `UsageError` where nobody can be asked, or when the person leaves. */
async function asked(invocation: Invocation, question: string, variable: string): Promise<string> {
  if (!invocation.canAsk) throw new UsageError(`There is no terminal to ask at. Give the passphrase in ${variable}.`);
  const answer = await invocation.askHidden(question);
  if (answer === null) throw new UsageError('No passphrase was given. Nothing was changed.');
  return answer;
}

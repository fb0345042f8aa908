/*
 * Who works with an open console: the people of the installation, and a console for
 * another person than that of the operating-system account. Part of the wiring, beside
 * compose.ts; used by the command line.
 */
import { accepted, type Result } from '../src-shared/refusals.ts';
import type { Console } from './compose.ts';
import { People } from './runtime/people.ts';
import { makeProof, matchesProof } from './system/passphrase.ts';

export const openPeople = ({ installation, clock }: Pick<Console, 'installation' | 'clock'>): People =>
  new People({ store: installation.store, clock, makeProof, matchesProof });

/**
 * The same console for another person, who has to show their passphrase; everything asked of it is asked by them.
 * Refuses: proof_refused; too_many_attempts; store_busy.
 */
export async function openAs(
  opened: Console,
  name: string,
  askPassphrase: () => Promise<string>,
): Promise<Result<Console>> {
  const proved = await openPeople(opened).prove(opened.actor, name, askPassphrase);
  if (!proved.ok) return proved;
  return accepted({ ...opened, actor: { kind: 'operator', operatorId: proved.value.id } });
}

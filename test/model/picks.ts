import type { Actor } from '../../src-main/domain/actor.ts';
import type { TransitionInputs } from '../../src-main/domain/transitions.ts';
import type { CardChoice, ClaimPick, RunPick } from './commands.ts';
import type { Claim, Life } from './life.ts';
import type { ModelRun } from './model-state.ts';

/*
 * What a pick of a command means at the moment it is played.
 */

/** A run that never was. */
export const NOBODYS_RUN = 'run-of-nobody';

export function actorOf(person: number): Actor {
  return person === 0
    ? { kind: 'service', name: 'robot', scopes: ['agent:approve', 'agent:cancel'] }
    : { kind: 'operator', operatorId: person };
}

/** Aimed: one of the runs that fit; null when none does. Otherwise any, now and then one that never was. */
export function pickRun(life: Life, { index, isAimed }: RunPick, fits: (run: ModelRun) => boolean): string | null {
  const ids = life.runs().map(({ id }) => id);
  return isAimed ? (at(life.runs().filter(fits), index)?.id ?? null) : (at([...ids, NOBODYS_RUN], index) ?? null);
}

const at = <T>(list: T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];

/**
 * A claim that holds its run, one that fits if there is one; null when no run is held. Otherwise one that does not hold its
 * run any more.
 */
export function pickClaim(life: Life, { index, isHeld }: ClaimPick, fits: (run: ModelRun) => boolean): Claim | null {
  const runOf = ({ runId }: Claim): ModelRun => life.model.runs.get(runId) as ModelRun;
  const holds = (claim: Claim): boolean => runOf(claim).row.ownerToken === claim.ownerToken;
  const claims = life.claims.filter((claim) => holds(claim) === isHeld);
  const fitting = claims.filter((claim) => fits(runOf(claim)));
  const claim = at(fitting.length > 0 ? fitting : claims, index);
  if (claim || isHeld) return claim ?? null;
  return { runId: at(life.runs(), index)?.id ?? NOBODYS_RUN, ownerToken: 'token-of-a-stranger', attempt: 0 };
}

/** What a decision says about the card it means. */
export function pickCard(life: Life, runId: string, choice: CardChoice): CardBinding {
  const shown = life.cards.filter((card) => card.runId === runId);
  const { turnDigest, previewRevision } = (choice === 'earlier' ? shown[0] : shown.at(-1)) ?? NO_CARD;
  return {
    turnDigest: choice === 'other_turn' ? 'f'.repeat(64) : choice === 'none' ? null : turnDigest,
    previewRevision: previewRevision + (choice === 'next_revision' ? 1 : 0),
  };
}

type CardBinding = Pick<TransitionInputs['decide_approval'], 'turnDigest' | 'previewRevision'>;
/** What a decision names whose run was never shown. */
export const NO_CARD = { turnDigest: '', previewRevision: 0 };

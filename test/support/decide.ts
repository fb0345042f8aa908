import type { Operator } from '../../src-main/domain/actor.ts';
import { decideApproval, type DecideInput } from '../../src-main/domain/decide-rules.ts';
import type { PendingTurn } from '../../src-main/domain/run.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import { turnDigest } from '../../src-main/domain/turn-rules.ts';
import { aConfiguration, asActor, aTurn, aWaitingRun, someFacts, TOOL_LIST } from './run-builders.ts';

export const TURN = aTurn();
export const BOT = { kind: 'service', name: 'bot', scopes: ['agent:approve'] } as const;

/** Facts as the store would read them for the person who decides. */
function facts(person: Operator | null, changes: Partial<Facts> = {}): Facts {
  return someFacts({ run: aWaitingRun(), operator: person, pendingTurn: TURN, ...changes });
}

/** What the card of the waiting run delivered, decided by `person`. */
function input(person: Operator | null, changes: Partial<DecideInput> = {}): DecideInput {
  return {
    actor: person ? asActor(person) : { ...BOT, scopes: [...BOT.scopes] },
    approved: true,
    turnDigest: turnDigest(TURN.calls),
    previewRevision: 1,
    denialReason: null,
    note: '',
    confirmsBlind: false,
    trigger: null,
    withdrawWindowMs: null,
    tools: TOOL_LIST,
    ...changes,
  };
}

export function decide(
  person: Operator | null,
  factChanges: Partial<Facts> = {},
  inputChanges: Partial<DecideInput> = {},
) {
  return decideApproval(facts(person, factChanges), input(person, inputChanges));
}

export const fourEyes = { configuration: aConfiguration({ requireSecondApprover: true }) };
export const withTurn = (
  turn: PendingTurn,
  changes: Partial<DecideInput> = {},
): [Partial<Facts>, Partial<DecideInput>] => [
  { pendingTurn: turn },
  { turnDigest: turnDigest(turn.calls), ...changes },
];

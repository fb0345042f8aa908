import fc from 'fast-check';
import { FAILURE_CLASSES, type FailureClass } from '../../src-shared/vocabulary.ts';

/** Who may do what is settled by the operators of the model: 1 administrator, 3 owner, 5 approver, 7 disabled, 9 outsider. */
export const PERSONS = [1, 3, 5, 7, 9] as const;

/** Which card a decision names: the current one, one from earlier, or one that never was. */
export type CardChoice = 'current' | 'earlier' | 'wrong_digest' | 'wrong_revision' | 'none';

/**
 * `run` and `claim` are picks: taken modulo what exists. A claim is a live one, or any
 * token ever handed out; an aimed person looks for a run on which the command can work.
 */
export type Command =
  | { kind: 'enqueue'; interactive: boolean }
  | { kind: 'claim'; isIdle: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'step'; claim: ClaimPick; endsFence: boolean; endsTurn: boolean; inTools: boolean }
  | { kind: 'renew'; claim: ClaimPick }
  | { kind: 'release'; claim: ClaimPick }
  | { kind: 'fence'; claim: ClaimPick; isIdempotent: boolean }
  | { kind: 'suspend'; claim: ClaimPick; calls: number; asks: boolean }
  | { kind: 'bounce'; claim: ClaimPick; calls: number }
  | { kind: 'complete'; claim: ClaimPick }
  | { kind: 'fail'; claim: ClaimPick; failureClass: FailureClass }
  | { kind: 'reclaim'; claim: ClaimPick; isDead: boolean }
  | { kind: 'orphan'; claim: ClaimPick }
  | {
      kind: 'decide';
      run: number;
      isAimed: boolean;
      person: number;
      approved: boolean;
      card: CardChoice;
      windowMs: number;
    }
  | { kind: 'submit'; run: number; isAimed: boolean; person: number; card: CardChoice; isComplete: boolean }
  | { kind: PersonKind; run: number; isAimed: boolean; person: number }
  | { kind: 'expire'; run: number; isAimed: boolean }
  | { kind: 'pause'; person: number; isPaused: boolean }
  | { kind: 'switch'; isActive: boolean }
  | { kind: 'end_offline' };

/** What a person does to one run without a card. */
export const PERSON_KINDS = [
  'withdraw',
  'cancel',
  'cancel_if_waiting',
  'retry',
  'settle_unreadable',
  'resolve_uncertain',
] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];

export interface ClaimPick {
  isLive: boolean;
  index: number;
}

const claim = fc.record({
  isLive: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  index: fc.nat(20),
});
const run = fc.nat(3);
const isAimed = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const person = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.constantFrom(...PERSONS) },
);
const card = fc.oneof(
  { weight: 5, arbitrary: fc.constant<CardChoice>('current') },
  { weight: 2, arbitrary: fc.constantFrom<CardChoice>('earlier', 'wrong_digest', 'wrong_revision', 'none') },
);
const kind = <K extends Command['kind']>(value: K) => fc.constant(value);

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: kind('enqueue'), interactive: fc.boolean() }) },
  { weight: 7, arbitrary: fc.record({ kind: kind('claim'), isIdle: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('wait'), ms: fc.constantFrom(1, 1_000, 40_000, 1_000_000, 100 * 86_400_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('step'),
      claim,
      endsFence: fc.boolean(),
      endsTurn: fc.boolean(),
      inTools: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('renew'), claim }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('release'), claim }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('fence'), claim, isIdempotent: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: kind('suspend'), claim, calls: fc.integer({ min: 1, max: 3 }), asks: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('bounce'), claim, calls: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('complete'), claim }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('fail'), claim, failureClass: fc.constantFrom(...FAILURE_CLASSES) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('reclaim'), claim, isDead: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('orphan'), claim }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('decide'),
      run,
      isAimed,
      person,
      approved: fc.boolean(),
      card,
      windowMs: fc.constantFrom(0, 30_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('submit'), run, isAimed, person, card, isComplete: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('withdraw'), run, isAimed, person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(...PERSON_KINDS.filter((each) => each !== 'withdraw')),
      run,
      isAimed,
      person,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('expire'), run, isAimed }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('pause'), person, isPaused: fc.constant(true) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('pause'), person, isPaused: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('switch'), isActive: fc.constant(false) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('switch'), isActive: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('end_offline') }) },
);

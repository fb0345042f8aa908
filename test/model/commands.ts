import fc from 'fast-check';
import { FAILURE_CLASSES } from '../../src-shared/vocabulary.ts';

/*
 * Everything that can be asked of the store in a sequence. Which run or claim a command is about is a pick: a number,
 * taken modulo what there is. An aimed pick looks among those on which the command can work; any other pick looks among
 * all. An aimed command for which there is nothing to do is skipped, so that sequences get somewhere.
 */

/** 1 administrator, 3 owner, 5 approver, 7 disabled administrator, 9 outsider, 0 a service account. */
const PERSONS = [1, 3, 5, 7, 9, 0] as const;
const CONFIGURATIONS = ['plain', 'local', 'twin'] as const;

/** The first five times of seven. */
const often = <const T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

/** Not so once in `times` + 1. */
const mostly = (times: number): fc.Arbitrary<boolean> => fc.nat(times).map((dice) => dice > 0);
const isAimed = mostly(9);
const run = fc.record({ index: fc.nat(7), isAimed });
const anyRun = fc.record({ index: fc.nat(7), isAimed: mostly(2) });
/** A claim that holds its run, or one whose run went on without it. */
const claim = fc.record({ index: fc.nat(7), isHeld: mostly(6) });
const person = fc.oneof(
  { weight: 4, arbitrary: fc.constant<number>(1) },
  { weight: 2, arbitrary: fc.constantFrom<number>(3, 5) },
  { weight: 2, arbitrary: fc.constantFrom<number>(...PERSONS) },
);
const STALE = ['earlier', 'other_turn', 'next_revision', 'none'] as const;
const staleCard = fc.constantFrom(...STALE);
const card = often('current', ...STALE);
const configuration = fc.constantFrom(...CONFIGURATIONS);
const answers = fc.constantFrom(
  'complete',
  'complete',
  'complete',
  'complete',
  'empty_texts',
  'zero_and_null',
  'only_false',
  'number_for_text',
  'null_for_text',
  'too_long',
  'not_asked',
  'nothing',
);
const windowMs = fc.constantFrom(0, 30_000, 30_000, 90_000);
const turn = fc.constantFrom('one', 'two', 'three', 'admin', 'admin', 'reads', 'hidden');
const finding = fc.constantFrom('written' as const, 'not_written' as const);

/** What a worker does next that has not noticed that its run was cancelled. */
const ACTS = ['renew', 'release', 'fence', 'suspend', 'bounce', 'complete', 'fail'] as const;

/** What is tried of a run that came with a copy. */
const TRIALS = [
  ...ACTS,
  'step',
  'reclaim',
  'orphan',
  'approve',
  'answer',
  'edit',
  'withdraw',
  'retry',
  'expire',
  'remind',
  'resolve',
] as const;
/** The window in which an approval can be taken back is seldom open. */
const trial = fc.constantFrom(...TRIALS, 'withdraw', 'withdraw', 'withdraw');

const weighted = <T>(weight: number, details: { [K in keyof T]: fc.Arbitrary<T[K]> }) => ({ weight, details });

/** Each command by name: how often it comes up, and what varies in it. */
export const COMMANDS = {
  // What happens to the installation and to time.
  enqueue: weighted(12, {
    person,
    configuration,
    isInteractive: often(false, true),
    flaw: fc.constantFrom(...Array<''>(14).fill(''), 'empty', 'gone'),
  }),
  enqueue_again: weighted(1, { run, person, configuration }),
  wait: weighted(4, { ms: fc.constantFrom(1, 5_000, 30_000, 30_000, 120_000, 900_001, 8 * 86_400_000) }),
  set_clock_back: weighted(2, { ms: fc.constantFrom(1_000, 60_000, 3_600_000) }),
  wait_until_due: weighted(5, {}),
  mend_due_times: weighted(3, { isAimed }),
  pause: weighted(2, { person }),
  resume: weighted(14, { person, isAimed }),
  switch_off: weighted(2, { configuration }),
  switch_on: weighted(12, { configuration }),
  disable_person: weighted(1, { person: fc.constantFrom(3, 5, 7) }),
  enable_person: weighted(2, { person: fc.constantFrom(3, 5, 7) }),
  end_offline: weighted(8, { configuration: fc.option(configuration), isAimed }),
  reopen: weighted(1, {}),
  ask_a_busy_store: weighted(1, { run, person }),
  damage_turns: weighted(2, {}),
  // Workers.
  claim: weighted(22, { isIdle: fc.boolean(), isAimed }),
  claim_twice_at_once: weighted(2, { isIdle: often(true, false) }),
  model_step: weighted(2, { claim, used: fc.constantFrom('priced', 'unpriced', 'nothing') }),
  tool_step: weighted(3, { claim }),
  end_fence: weighted(4, { claim, isDone: fc.boolean() }),
  end_turn: weighted(3, { claim }),
  late_step: weighted(3, { claim, endsFence: fc.boolean() }),
  go_on_after_cancel: weighted(7, { index: fc.nat(7), act: fc.constantFrom(...ACTS) }),
  renew: weighted(2, { claim }),
  release: weighted(2, { claim, isPaused: fc.boolean() }),
  fence: weighted(9, { claim, isIdempotent: fc.boolean() }),
  pause_and_fence_at_once: weighted(2, { claim, person, isPauseFirst: fc.boolean() }),
  suspend: weighted(12, { claim, turn }),
  ask_person: weighted(7, { claim, questions: fc.constantFrom(1, 1, 2), isForAdmin: fc.boolean() }),
  bounce: weighted(2, { claim, turn }),
  complete: weighted(2, { claim, isCut: fc.boolean() }),
  answer_and_complete: weighted(2, { claim }),
  answer_and_suspend: weighted(3, { claim, turn }),
  fail: weighted(6, {
    claim,
    failureClass: fc.oneof(fc.constant('connection' as const), fc.constantFrom(...FAILURE_CLASSES, 'storage' as const)),
    retryAfterMs: fc.constantFrom(0, 60_000, 7_200_000),
  }),
  fail_in_doubt: weighted(1, { claim }),
  reclaim_dead: weighted(9, { claim }),
  reclaim_late: weighted(2, { claim, msAfterLease: fc.constantFrom(0, 1) }),
  orphan_write: weighted(1, { run: anyRun }),
  // People.
  approve: weighted(9, { run, person, card, windowMs, confirmsBlind: fc.boolean() }),
  approve_redefined: weighted(2, { run, person }),
  approve_hidden: weighted(2, { run, person }),
  deny: weighted(3, { run, person, card }),
  approve_question: weighted(1, { run, person }),
  decide_switched_off: weighted(2, { run, person, approved: fc.boolean() }),
  approve_again: weighted(1, { run, person }),
  answer: weighted(8, { run, person, card, answers }),
  answer_stale: weighted(4, { run, person, card: staleCard }),
  answer_approval: weighted(1, { run, person }),
  answer_again: weighted(1, { run, person }),
  decide_twice_at_once: weighted(2, { run, person, isFirstApproved: fc.boolean() }),
  answer_twice_at_once: weighted(1, { run, person }),
  cancel_and_decide_at_once: weighted(1, { run, person, isCancelFirst: fc.boolean() }),
  cancel_and_step_at_once: weighted(2, { claim, person, isCancelFirst: fc.boolean() }),
  withdraw: weighted(8, { run, person: fc.option(person, { freq: 2 }) }),
  withdraw_damaged: weighted(2, { run }),
  withdraw_by_old_clock: weighted(2, { run }),
  withdraw_and_claim_at_once: weighted(1, { run }),
  approve_older_card: weighted(2, { run, person }),
  edit: weighted(9, { run, person, card, target: fc.constantFrom('first', 'first', 'first', 'none', 'stranger') }),
  edit_stale: weighted(2, { run, person, card: staleCard }),
  edit_switched_off: weighted(2, { run, person }),
  edit_damaged: weighted(2, { run, person }),
  edit_unfitting: weighted(2, { run, person }),
  edit_decided: weighted(2, { run, person }),
  cancel: weighted(4, { run, person }),
  cancel_ended: weighted(2, { run, person }),
  cancel_if_waiting: weighted(3, { run: anyRun, person }),
  retry: weighted(7, { run, person }),
  settle_unreadable: weighted(5, { run: anyRun, person }),
  release_restored: weighted(2, { run: anyRun, person }),
  release_copied: weighted(8, { run, person }),
  put_copy_back: weighted(1, {}),
  act_on_copy: weighted(20, { index: fc.nat(7), trial, isReleased: mostly(9) }),
  resolve_doubt: weighted(4, { run, person, finding }),
  expire_early: weighted(1, { run }),
  expire_due: weighted(2, { run }),
  remind: weighted(2, { run, msAfterDue: fc.constantFrom(-1, 0, 0, 86_399_999, 86_400_000) }),
  remind_twice: weighted(1, { run }),
} as const;

export type CommandKind = keyof typeof COMMANDS;
type Details<D> = { [K in keyof D]: D[K] extends fc.Arbitrary<infer V> ? V : never };
export type CommandOf<K extends CommandKind> = { kind: K } & Details<(typeof COMMANDS)[K]['details']>;
export type Command = { [K in CommandKind]: CommandOf<K> }[CommandKind];

export type RunPick = { index: number; isAimed: boolean };
export type ClaimPick = { index: number; isHeld: boolean };
export type CardChoice = CommandOf<'approve'>['card'];
export type AnswerChoice = CommandOf<'answer'>['answers'];
export type Act = CommandOf<'go_on_after_cancel'>['act'];
export type Trial = CommandOf<'act_on_copy'>['trial'];
export type TurnChoice = CommandOf<'suspend'>['turn'];

/** A command in one line. */
export function describeCommand({ kind, ...details }: Command): string {
  const words = Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [kind, ...words].join(', ').replaceAll('"', '');
}

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  ...Object.entries(COMMANDS).map(([kind, { weight, details }]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...details }) as unknown as fc.Arbitrary<Command>,
  })),
);

const firstRun = fc.record({ kind: fc.constant('enqueue' as const), ...COMMANDS.enqueue.details });

/** One sequence, long enough for a run to be decided, carried out and disturbed a few times. */
export const anySequence: fc.Arbitrary<Command[]> = fc
  .tuple(firstRun, fc.array(anyCommand, { maxLength: 160, size: 'max' }))
  .map(([first, others]) => [first, ...others]);

import { RUN_STATUSES, type RunStatus } from '../../src-shared/vocabulary.ts';
import type { TransitionKind } from './transitions.ts';

/** What moves a run: a transition of the store, or a worker's claim. */
export type Mover = TransitionKind | 'claim';

/** One way a run may move. `guard` must hold inside the write; whoever does not meet it changes nothing. */
export interface TransitionRow {
  id: string;
  movers: readonly Mover[];
  from: readonly (RunStatus | 'new')[];
  to: RunStatus;
  trigger: string;
  guard: string;
  effect: string;
  otherwise: string;
}

const OWNED = 'running, and the token of the claim';
const LOST = '`lease_lost`, or `run_cancelled` when somebody cancelled; row untouched';
const NOT_ENDED = ['queued', 'running', 'waiting_for_approval', 'waiting_for_input'] as const;
const WAITING = ['waiting_for_approval', 'waiting_for_input'] as const;

/**
 * The life of a run as data: T1 to T21 of the architecture, which every part shares.
 * The store refuses to apply a change that is not in here, SQLite itself refuses a
 * status that no row leads to (`store/transition-guard.ts`), the model test counts its
 * rows, and docs/transitions.md is printed from it. T8 is gone: deciding claims nothing,
 * so there is nothing to hand back.
 * Source: architecture.md §5a.
 */
export const TRANSITION_TABLE: readonly TransitionRow[] = [
  {
    id: 'T1, T2',
    movers: ['enqueue'],
    from: ['new'],
    to: 'queued',
    trigger: '`run()` or `enqueue()`',
    guard: 'a live person or account, an active configuration, a valid request',
    effect: 'sealed request stored; due at once',
    otherwise: 'the reason; nothing stored',
  },
  {
    id: 'T3',
    movers: ['claim'],
    from: ['queued'],
    to: 'running',
    trigger: 'a worker looks for work',
    guard:
      'due, not held, not of a restored copy, configuration active, endpoint not busy, nothing paused, row as the record left it',
    effect: 'random owner token, lease, attempt + 1, `attempt` event',
    otherwise: 'another run, or none',
  },
  {
    id: 'T4',
    movers: ['suspend'],
    from: ['running'],
    to: 'waiting_for_approval',
    trigger: 'a turn holds a write',
    guard: OWNED,
    effect: 'turn and previews stored, revision + 1, claim released',
    otherwise: `${LOST}; a pause that cannot be stored ends the run, \`suspend_failed\``,
  },
  {
    id: 'T5',
    movers: ['suspend'],
    from: ['running'],
    to: 'waiting_for_input',
    trigger: 'a turn without a write asks a person',
    guard: OWNED,
    effect: 'turn and questions stored, revision + 1, claim released',
    otherwise: 'as T4',
  },
  {
    id: 'T6',
    movers: ['decide_approval'],
    from: ['waiting_for_approval'],
    to: 'queued',
    trigger: 'a person approves or denies',
    guard: 'every gate of the decision, on fresh rows; digest and revision of the card',
    effect: 'decision and `approval` event stored; resume due, an approval not before its window is over',
    otherwise: 'the reason; still waiting, byte-identical',
  },
  {
    id: 'T7',
    movers: ['submit_input'],
    from: ['waiting_for_input'],
    to: 'queued',
    trigger: 'a person answers every question of the turn',
    guard: 'every gate of the submission, on fresh rows; digest and revision of the form; values that fit',
    effect: 'answers and `input` event stored; resume due at once',
    otherwise: 'the reason; still waiting, byte-identical',
  },
  {
    id: 'T9',
    movers: ['complete'],
    from: ['running'],
    to: 'completed',
    trigger: 'the loop returned an answer',
    guard: OWNED,
    effect: 'answer and reason stored; a write in doubt is listed; request, turn, transcript, claim emptied',
    otherwise: LOST,
  },
  {
    id: 'T10, T12',
    movers: ['fail'],
    from: ['running'],
    to: 'failed',
    trigger: 'the segment failed and another try cannot help or is used up',
    guard: OWNED,
    effect: 'reason, type of the error; a write in doubt is listed; parts emptied, totals kept',
    otherwise: LOST,
  },
  {
    id: 'T11',
    movers: ['fail'],
    from: ['running'],
    to: 'queued',
    trigger: 'the segment failed and another try can help, or its endpoint cannot be reached',
    guard: `${OWNED}; no write in doubt; tries left`,
    effect: 'backoff and count + 1, or hold `offline` uncounted; goes on from the checkpoint',
    otherwise: LOST,
  },
  {
    id: 'T13',
    movers: ['reclaim', 'release_claim'],
    from: ['running'],
    to: 'queued',
    trigger: 'the worker is proven dead, its lease is over, or it stops in good order',
    guard: 'running, and the token of the claim taken back',
    effect: 'segment and decision kept, nobody is asked again; counted only if the own tool call was in flight',
    otherwise: 'skipped',
  },
  {
    id: 'T14',
    movers: ['reclaim'],
    from: ['running'],
    to: 'failed',
    trigger: 'as T13, with a write in doubt that must not be repeated, or no tries left',
    guard: 'as T13',
    effect: 'dead letter; the write is listed as uncertain',
    otherwise: 'skipped',
  },
  {
    id: 'T15',
    movers: ['cancel'],
    from: NOT_ENDED,
    to: 'cancelled',
    trigger: 'a person stops the run',
    guard: 'not ended; the person may',
    effect: 'parts emptied, totals kept; a write in flight is listed until its step comes',
    otherwise: 'the reason',
  },
  {
    id: 'T16',
    movers: ['cancel_if_waiting'],
    from: WAITING,
    to: 'cancelled',
    trigger: 'a conversation withdraws its proposal',
    guard: 'waiting; the person started it or is an administrator',
    effect: 'as T15',
    otherwise: 'not cancelled, and the status it has',
  },
  {
    id: 'T17',
    movers: ['settle_unreadable'],
    from: ['queued', ...WAITING],
    to: 'failed',
    trigger: 'an administrator gives up a run whose stored parts cannot be opened',
    guard: 'not running, not ended; an administrator',
    effect: 'reason `state_unreadable`, who said so; a write in doubt is listed',
    otherwise: 'the reason',
  },
  {
    id: 'T18',
    movers: ['bounce'],
    from: ['running'],
    to: 'waiting_for_approval',
    trigger: 'a resume finds another target than the approval was about',
    guard: `${OWNED}; nothing of the turn executed`,
    effect: 'current previews, revision + 1, `approval_bounced`',
    otherwise: LOST,
  },
  {
    id: 'T19',
    movers: ['withdraw_approval'],
    from: ['queued'],
    to: 'waiting_for_approval',
    trigger: 'the decider takes the approval back',
    guard: 'the window is open; the same person',
    effect: 'revision + 1, so that the decision can never count again',
    otherwise: 'too late',
  },
  {
    id: 'T20',
    movers: ['edit_card'],
    from: ['waiting_for_approval'],
    to: 'waiting_for_approval',
    trigger: "a person puts other arguments in place of the model's, or makes the card anew",
    guard: 'digest and revision of the card; the person may run what they edit; the arguments fit',
    effect: 'other digest, revision + 1, previews as they are now; what the model asked for is kept',
    otherwise: 'the reason',
  },
  {
    id: 'T21',
    movers: ['expire'],
    from: WAITING,
    to: 'cancelled',
    trigger: 'nobody decided in time',
    guard: 'its configuration has a limit, and the run has waited that long',
    effect: 'reason `expired`; a write in doubt is listed; parts emptied',
    otherwise: 'skipped',
  },
];

/** What changes a run and leaves its status. A late step of a cancelled run is still recorded. */
export const STEPS: Partial<Record<Mover, readonly RunStatus[]>> = {
  record_step: ['running', 'cancelled'],
  renew_lease: ['running'],
  stamp_fence: ['running'],
  retry: ['queued'],
  remind: WAITING,
  release_restored: NOT_ENDED,
  record_orphan_write: RUN_STATUSES,
  resolve_uncertain: RUN_STATUSES,
};

/** The row that lets `mover` take a run from one status to another; 'step' = it may change it where it is; null = it may not. */
export function rowFor(mover: Mover, from: RunStatus | 'new', to: RunStatus): TransitionRow | 'step' | null {
  const row = TRANSITION_TABLE.find(
    (each) => each.movers.includes(mover) && each.from.includes(from) && each.to === to,
  );
  return row ?? (from === to && STEPS[mover]?.includes(to) ? 'step' : null);
}

/** Every pair of statuses that some row leads along. */
export function allowedMoves(): { from: RunStatus | 'new'; to: RunStatus }[] {
  return TRANSITION_TABLE.flatMap(({ from, to }) => from.map((status) => ({ from: status, to })));
}

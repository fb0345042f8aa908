import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import type { Row } from './rows.ts';

/** What a run comes to while it is taken back, whatever its last worker did. */
const TAKEN_BACK: CrashPoint[] = ['before_reclaim', 'after_reclaim', 'before_wake', 'after_claim'];
/** What follows the result of its only call. */
const AFTER_THE_CALL: CrashPoint[] = [
  'after_result',
  'after_request',
  'before_answer',
  'before_settle',
  'after_settle',
];

/**
 * Not the whole square, which would play most of it twice over: what recovery passes when a write was fenced, when a
 * decision or answers are stored and nothing of them has happened, and when it is the host that takes runs back which dies.
 */
const CHOSEN: { first: Row; seconds: CrashPoint[] }[] = [
  {
    // Fenced and not written: examined, then written.
    first: { point: 'after_fence_before_effect', effect: 'idempotent', segment: 'resume' },
    seconds: [
      ...TAKEN_BACK,
      'before_fence',
      'after_fence_before_effect',
      'after_effect_before_answer',
      'after_effect_before_result',
      ...AFTER_THE_CALL,
    ],
  },
  {
    // Fenced and written: examined, then recorded.
    first: { point: 'after_effect_before_result', effect: 'idempotent', segment: 'resume' },
    seconds: [...TAKEN_BACK, ...AFTER_THE_CALL],
  },
  {
    // The worker lives and examines by itself.
    first: { point: 'after_effect_before_answer', effect: 'idempotent', segment: 'resume' },
    seconds: ['after_effect_before_result', 'after_result'],
  },
  {
    first: { point: 'after_fence_before_effect', effect: 'non-idempotent', segment: 'resume' },
    seconds: ['before_reclaim', 'after_reclaim'],
  },
  {
    first: { point: 'after_effect_before_result', effect: 'non-idempotent', segment: 'resume' },
    seconds: ['before_reclaim', 'after_reclaim'],
  },
  {
    first: { point: 'after_effect_before_answer', effect: 'non-idempotent', segment: 'resume' },
    seconds: ['after_effect_before_result', 'before_settle', 'after_settle'],
  },
  {
    first: { point: 'before_reclaim', effect: 'non-idempotent', segment: 'resume' },
    seconds: ['before_reclaim', 'after_reclaim'],
  },
  {
    first: { point: 'after_decide', effect: 'idempotent', segment: 'resume' },
    seconds: ['after_claim', 'before_fence', 'after_fence_before_effect', 'after_effect_before_result'],
  },
  {
    first: { point: 'after_claim', effect: 'non-idempotent', segment: 'resume' },
    seconds: [...TAKEN_BACK, 'before_fence', 'after_fence_before_effect', 'after_effect_before_result'],
  },
  { first: { point: 'before_fence', effect: 'non-idempotent', segment: 'resume' }, seconds: ['before_fence'] },
  {
    first: { point: 'before_bounce', effect: 'idempotent', segment: 'resume' },
    seconds: ['before_bounce', 'after_bounce'],
  },
  { first: { point: 'after_decide', effect: 'question', segment: 'resume' }, seconds: ['after_effect_before_answer'] },
  {
    first: { point: 'after_effect_before_answer', effect: 'question', segment: 'resume' },
    seconds: ['after_effect_before_answer', 'after_effect_before_result'],
  },
  {
    first: { point: 'after_effect_before_result', effect: 'question', segment: 'resume' },
    seconds: ['after_claim', 'after_effect_before_result'],
  },
];

/** Rows in which two processes die. */
export const SECOND_DEATHS: Row[] = CHOSEN.flatMap(({ first, seconds }) =>
  seconds.map((point) => ({ ...first, second: point })),
);

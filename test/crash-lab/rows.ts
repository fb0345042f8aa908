import { CRASH_POINTS, type CrashPoint } from '../../src-main/runtime/crash-points.ts';

/** What the run does: read, a write that may be repeated (an update), a write that may not (an insert), a question to a person. */
export const EFFECTS = ['read', 'idempotent', 'non-idempotent', 'question'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The segment in which the process dies. */
export const SEGMENTS = ['first run', 'retry', 'resume'] as const;
export type SegmentKind = (typeof SEGMENTS)[number];

/** One experiment: a process dies at a point, while a run with this effect is in this segment. */
export interface Row {
  point: CrashPoint;
  effect: Effect;
  segment: SegmentKind;
  /** Where the process that takes the run back dies as well; absent = it lives. */
  second?: CrashPoint;
}

export const nameOfRow = ({ point, effect, segment, second }: Row): string =>
  `${point}${second ? ` then ${second}` : ''}, ${effect}, ${segment}`;

/** Everything that a row must end with, exactly. */
export interface EndState {
  status: string;
  endReason: string;
  /** Rows of the target's own log: what was really written for this run. */
  effects: number;
  /** `tool_write` events of the run. */
  recorded: number;
  /** How often a person was asked: cards and forms shown, current previews of a changed target included. */
  cards: number;
  /** Decisions and submissions stored. */
  decisions: number;
  /** Answers of the person that the model has read: it repeats them in its last words. */
  answers: number;
  /** Entries in the list of uncertain writes. */
  uncertain: number;
}

const ALL_POINTS = Object.keys(CRASH_POINTS) as CrashPoint[];
const WRITES: Effect[] = ['idempotent', 'non-idempotent'];
const UNDECIDED: SegmentKind[] = ['first run', 'retry'];

/** A pattern of rows; what is left out matches everything. */
interface Pattern {
  points?: CrashPoint[];
  second?: CrashPoint[];
  effects?: Effect[];
  segments?: SegmentKind[];
}

const matches = ({ points, second, effects, segments }: Pattern, row: Row): boolean =>
  (points?.includes(row.point) ?? true) &&
  (!second || (row.second !== undefined && second.includes(row.second))) &&
  (effects?.includes(row.effect) ?? true) &&
  (segments?.includes(row.segment) ?? true);

const CANNOT_OCCUR: (Pattern & { because: string })[] = [
  {
    points: ['before_suspend', 'after_suspend'],
    effects: ['read'],
    because: 'Nobody is asked for a read alone, so its segment does not suspend.',
  },
  {
    points: ['before_bounce', 'after_bounce'],
    effects: ['read'],
    because: 'A decision comes back when the target of a write has moved; a read has none.',
  },
  {
    points: ['before_bounce', 'after_bounce'],
    effects: ['question'],
    because: 'A decision comes back when the target of a write has moved; an answer has none.',
  },
  {
    points: ['before_fence', 'after_fence_before_effect'],
    effects: ['read', 'question'],
    because: 'Only a write is fenced.',
  },
  {
    points: ['after_answer'],
    effects: WRITES,
    because: 'An answer that proposes a write is stored together with its card.',
  },
  {
    points: ['after_answer'],
    effects: ['read', 'question'],
    segments: ['resume'],
    because: 'It asks for nothing more, and its last answer is stored together with the end of the run.',
  },
  {
    points: ['before_request'],
    segments: ['first run'],
    because: 'What a run asks first is stored with its claim.',
  },
  {
    points: ['before_request'],
    effects: [...WRITES, 'question'],
    segments: ['retry'],
    because: 'As in a first run: this retry begins at the request. The one of a read goes on from its checkpoint.',
  },
  {
    points: ['before_request'],
    segments: ['resume'],
    because: 'The question after a decided turn is stored with the result of its last call.',
  },
  {
    points: ['before_bounce', 'after_bounce', 'before_decide', 'after_decide'],
    segments: UNDECIDED,
    because: 'The segment of a decision is the resume that it leads to.',
  },
  {
    points: [
      'before_fence',
      'after_fence_before_effect',
      'after_effect_before_answer',
      'after_effect_before_result',
      'after_result',
    ],
    effects: WRITES,
    segments: UNDECIDED,
    because: 'A write waits for a decision, so only a resume carries one out.',
  },
  {
    points: ['after_effect_before_answer', 'after_effect_before_result', 'after_result'],
    effects: ['question'],
    segments: UNDECIDED,
    because: 'A call that asks waits for its answers, so only a resume carries one out.',
  },
];

/** Why a combination cannot occur; null for one that can. */
export const whyImpossible = (row: Row): string | null =>
  CANNOT_OCCUR.find((pattern) => matches(pattern, row))?.because ?? null;

/** Every combination, in the order of the list of points. */
export const ALL_ROWS: Row[] = ALL_POINTS.flatMap((point) =>
  EFFECTS.flatMap((effect) => SEGMENTS.map((segment) => ({ point, effect, segment }))),
);

/** Those that can occur. */
export const ROWS: Row[] = ALL_ROWS.filter((row) => whyImpossible(row) === null);

/** What the specification demands of a run that nobody disturbs: the crash must leave no trace in it. */
const UNDISTURBED: EndState = {
  status: 'completed',
  endReason: 'completed',
  effects: 1,
  recorded: 1,
  cards: 1,
  decisions: 1,
  answers: 0,
  uncertain: 0,
};
/** A read asks nobody. In a resume it stands in one turn with an update, for nothing else suspends. */
const READ_ALONE: EndState = { ...UNDISTURBED, effects: 0, recorded: 0, cards: 0, decisions: 0 };

/** A question changes nothing, and what the person enters is neither lost nor asked for again. */
const ANSWERED: EndState = { ...UNDISTURBED, effects: 0, recorded: 0, answers: 1 };

/** A write that may not be repeated and of which nobody can tell whether it happened: a person looks, nothing is tried again. */
const IN_DOUBT = { status: 'failed', recorded: 0, uncertain: 1 };

const DEMANDS: (Pattern & { end: Partial<EndState>; because: string })[] = [
  {
    second: ['after_fence_before_effect'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'not_retryable', effects: 0 },
    because: 'H-167: the second death finds it fenced, so it may have happened; never tried again.',
  },
  {
    second: ['after_effect_before_result'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'not_retryable', effects: 1 },
    because: 'H-167: the second death finds it fenced, and it has happened; never tried again.',
  },
  {
    points: ['after_effect_before_answer'],
    second: ['before_settle'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'not_retryable', effects: 1 },
    because: 'H-167: the worker dies before it has said that it cannot tell; never tried again.',
  },
  {
    points: ['after_fence_before_effect'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'not_retryable', effects: 0 },
    because: 'H-167: fenced, so it may have happened; never tried again.',
  },
  {
    points: ['after_effect_before_result'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'not_retryable', effects: 1 },
    because: 'H-167: fenced, and it has happened; never tried again.',
  },
  {
    points: ['after_effect_before_answer'],
    effects: ['non-idempotent'],
    end: { ...IN_DOUBT, endReason: 'interrupted_resume', effects: 1 },
    because: 'The worker lives and cannot tell either: an equal state would prove nothing.',
  },
  {
    points: ['before_suspend', 'after_suspend'],
    effects: ['question'],
    segments: ['resume'],
    end: { cards: 2, decisions: 2, answers: 2 },
    because: 'A resume suspends with a second question; both are asked once.',
  },
  {
    points: ['before_suspend', 'after_suspend'],
    segments: ['resume'],
    end: { effects: 2, recorded: 2, cards: 2, decisions: 2 },
    because: 'A resume suspends with a second write; both are asked for once.',
  },
  {
    points: ['before_bounce', 'after_bounce'],
    end: { cards: 2, decisions: 2 },
    because: 'The target moved after the first decision, so there is a second card.',
  },
];

/** How a row must end, and why where that is not simply "as if nothing had happened". */
export function demandOf(row: Row): { end: EndState; because: string } {
  const special = DEMANDS.find((pattern) => matches(pattern, row));
  return { end: { ...undisturbed(row), ...special?.end }, because: special?.because ?? '' };
}

function undisturbed({ effect, segment }: Row): EndState {
  if (effect === 'question') return ANSWERED;
  return effect === 'read' && segment !== 'resume' ? READ_ALONE : UNDISTURBED;
}

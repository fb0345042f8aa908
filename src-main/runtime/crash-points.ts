/**
 * The labelled points at which a process can be made to die: every boundary of a
 * segment, of a decision and of taking a run back. Each line says what is true on
 * disk at that point. The crash lab kills a process at each of them and compares the
 * end with what the specification demands.
 * Source: docs/decisions/0001-processes-as-workers.md, docs/crash-lab.md.
 */
export const CRASH_POINTS = {
  after_claim:
    'The run is running under this claim, and what a fresh run asks first is announced; nothing else of the segment has happened.',
  before_request: 'The claim, or the step before; the question to the model is not announced.',
  after_request: 'The question is announced; the model has not been asked.',
  before_answer: 'The question is announced; the model has answered and nothing of it is stored.',
  after_answer:
    'An answer without a write is stored as a checkpoint; none of its calls has run, nobody has been asked.',
  before_suspend:
    'A preview or a form is made and nobody has been asked; an answer with a write is not stored, one with a question is.',
  after_suspend: 'The answer is stored and the run waits with its card; the claim is over.',
  before_bounce: 'The decision is stored; the target has changed since the card, nobody knows yet.',
  after_bounce: 'The run waits again, with current previews; the decision is no longer good for anything.',
  before_fence: 'The decision is stored; nothing of this write has happened.',
  after_fence_before_effect: 'The fence is stored: the write may have happened from here on. It has not.',
  after_effect_before_answer: 'The tool child has done its work, a write is on disk; its worker does not know.',
  after_effect_before_result: 'The worker knows the result of the call; a write is on disk and still fenced.',
  after_result:
    'Result, record of the write, end of the fence and the question that follows the turn are stored together.',
  before_settle: 'What the segment did is stored, a last answer not yet; the run still runs under its claim.',
  after_settle: 'The run has ended or is queued again; the claim is over.',
  before_decide: 'The run waits with its card; a person has decided or answered and nothing of it is stored.',
  before_wake: 'A change that makes a run due is stored; no worker has been told.',
  after_decide: 'Decision or answers are stored and the workers are told; the person does not know yet.',
  before_reclaim: 'A worker is proven dead; its run still runs under its claim.',
  after_reclaim: 'The run of the dead worker is queued again, or has ended.',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

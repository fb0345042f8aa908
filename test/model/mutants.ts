import type { Result } from '../../src-shared/refusals.ts';
import type { RunChange, RunColumns } from '../../src-main/domain/run-change.ts';
import { STEPS, TRANSITION_TABLE } from '../../src-main/domain/transition-table.ts';
import { TRANSITIONS, type TransitionKind } from '../../src-main/domain/transitions.ts';
import { Statements } from '../../src-main/store/statements.ts';
import type { World } from './world.ts';

type Rule<K extends TransitionKind> = (typeof TRANSITIONS)[K]['rule'];

/** A mistake that somebody could make, for the duration of a test. */
export interface Mutant {
  name: string;
  /** Puts the mistake in; returns the way to take it out. */
  begin(): () => void;
  /** A mistake of one store instead. */
  spoil?(world: World): void;
}

/** A rule that is a little wrong. */
const wrongRule = <K extends TransitionKind>(name: string, kind: K, wrong: (rule: Rule<K>) => Rule<K>): Mutant => ({
  name,
  begin() {
    const transition: { rule: Rule<K> } = TRANSITIONS[kind];
    const { rule } = transition;
    transition.rule = wrong(rule);
    return () => void (transition.rule = rule);
  },
});

/** What is accepted sets other columns. */
const withColumns = (judged: Result<RunChange>, wrong: (set: RunColumns) => RunColumns): Result<RunChange> =>
  judged.ok ? { ok: true, value: { ...judged.value, set: wrong(judged.value.set) } } : judged;

/** A statement that forgets something. Faults: when the text is not in it any more, for then nothing was tried. */
const wrongStatement = (name: string, text: string, instead: string): Mutant => ({
  name,
  begin() {
    const { get } = Statements.prototype;
    let isFound = false;
    Statements.prototype.get = function (this: Statements, sql: string) {
      isFound ||= sql.includes(text);
      return get.call(
        this,
        sql.replace(text, () => instead),
      );
    };
    return () => {
      Statements.prototype.get = get;
      if (!isFound) throw new Error(`No statement holds this text: ${text}`);
    };
  },
});

const both = (name: string, ...mutants: Mutant[]): Mutant => ({
  name,
  begin() {
    const ends = mutants.map((mutant) => mutant.begin());
    return () => ends.forEach((end) => end());
  },
});

/** Rule and table of transitions are wrong in the same way: only who knows what must be true can notice. */
const alsoListed = (id: string, ...from: (typeof TRANSITION_TABLE)[number]['from']): Mutant => ({
  name: '',
  begin() {
    const row: { from: (typeof TRANSITION_TABLE)[number]['from'] } | undefined = TRANSITION_TABLE.find(
      (candidate) => candidate.id === id,
    );
    if (!row) throw new Error(`There is no row ${id}.`);
    const before = row.from;
    row.from = [...before, ...from];
    return () => void (row.from = before);
  },
});

const alsoStep = (kind: TransitionKind): Mutant => ({
  name: '',
  begin() {
    STEPS[kind] = ['queued'];
    return () => void delete STEPS[kind];
  },
});

export const MUTANTS: Mutant[] = [
  wrongRule(
    'a step is stored whoever holds the run',
    'record_step',
    (rule) => (facts, input) => rule(facts, { ...input, ownerToken: facts.run?.ownerToken ?? '' }),
  ),
  wrongRule(
    'an approval counts for a card of an older revision',
    'decide_approval',
    (rule) => (facts, input) => rule(facts, { ...input, previewRevision: facts.run?.previewRevision ?? null }),
  ),
  both(
    'a second decision about the same turn counts',
    alsoStep('decide_approval'),
    wrongRule('', 'decide_approval', (rule) => (facts, input) => {
      const { run } = facts;
      if (run?.status !== 'queued' || run.decisionNumber === 0) return rule(facts, input);
      const judged = rule({ ...facts, run: { ...run, status: 'waiting_for_approval' } }, input);
      return judged.ok ? { ok: true, value: { ...judged.value, from: 'queued' } } : judged;
    }),
  ),
  both(
    'a completed run can still be cancelled',
    alsoListed('T15', 'completed'),
    wrongRule('', 'cancel', (rule) => (facts, input) => {
      const { run } = facts;
      if (run?.status !== 'completed') return rule(facts, input);
      const judged = rule({ ...facts, run: { ...run, status: 'queued' } }, input);
      return judged.ok ? { ok: true, value: { ...judged.value, from: 'completed' } } : judged;
    }),
  ),
  wrongRule(
    'a worker that dies of its tool costs no try',
    'reclaim',
    (rule) => (facts, input) => withColumns(rule(facts, input), ({ requeueCount: _count, ...set }) => set),
  ),
  wrongRule(
    'the result of a write leaves its fence',
    'record_step',
    (rule) => (facts, input) =>
      withColumns(rule(facts, input), ({ fenceEffect: _effect, fenceCallId: _callId, ...set }) => set),
  ),
  wrongRule(
    'a fence is stamped while everything is paused',
    'stamp_fence',
    (rule) => (facts, input) => rule({ ...facts, isPaused: false }, input),
  ),
  wrongRule(
    'an approval is taken back after its window',
    'withdraw_approval',
    (rule) => (facts, input) =>
      rule({ ...facts, nowMs: Math.min(facts.nowMs, (facts.run?.notBeforeAtMs ?? 0) - 1) }, input),
  ),
  wrongRule('an answer counts without a field that is needed', 'submit_input', (rule) => (facts, input) => {
    const first = input.answers['call-ask_x'];
    const answers = first ? { ...input.answers, 'call-ask_x': { town: 'nowhere', ...first } } : input.answers;
    return rule(facts, { ...input, answers });
  }),
  wrongRule(
    'a turn expires a millisecond early',
    'expire',
    (rule) => (facts, input) => rule({ ...facts, nowMs: facts.nowMs + 1 }, input),
  ),
  wrongRule(
    'a turn is reminded of twice',
    'remind',
    (rule) => (facts, input) => rule({ ...facts, isReminded: false }, input),
  ),
  wrongRule(
    'waiting for a server costs a try',
    'fail',
    (rule) => (facts, input) =>
      withColumns(rule(facts, input), (set) =>
        set.hold === 'offline' ? { ...set, requeueCount: Math.min((facts.run?.requeueCount ?? 0) + 1, 3) } : set,
      ),
  ),
  wrongRule('a cancelled write is forgotten', 'cancel', (rule) => (facts, input) => {
    const judged = rule(facts, input);
    if (!judged.ok) return judged;
    const { uncertainWrite: _write, ...value } = judged.value;
    return { ok: true, value };
  }),
  wrongStatement('an approved write starts within its window', 'and not_before_at_ms <= :now_ms', ''),
  wrongStatement('a run that takes workers down is given to a busy one', '(runs_alone = 0 or :is_idle = 1)', '1'),
  {
    name: 'a refused decision leaves a trace in the file',
    begin: () => () => undefined,
    spoil({ store }) {
      const transition = store.transition.bind(store);
      store.transition = async (runId, request) => {
        const result = await transition(runId, request);
        const trace = { id: 'trace', pid: 1, transport: request.kind, nowMs: request.nowMs };
        if (!result.ok && request.kind === 'decide_approval') await store.touchWorker(trace);
        return result;
      };
    },
  },
];

/** How many sequences it takes to find a mutant at the latest. */
export const MOST_SEQUENCES = 1_000;

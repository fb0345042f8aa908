import type { CommandKind, CommandOf, Trial } from './commands.ts';
import type { Claim, Life } from './life.ts';
import { isOver, isWaitingRun, type ModelRun } from './model-state.ts';
import {
  answerOf,
  deciderOf,
  decisionOf,
  editOf,
  expire,
  isApproved,
  isDelayed,
  remind,
  waitsForApproval,
  waitsForInput,
} from './plays-people.ts';
import { ACTS, stepOf, uncertainWrite } from './plays-worker.ts';
import { actorOf } from './picks.ts';
import { noticeCopyOnModel } from './reference.ts';

/** An administrator, who may do all of this, so that nothing but the copy is in the way. */
const ADMINISTRATOR = 1;
const BY = { person: ADMINISTRATOR };

function noticeCopy(life: Life): void {
  life.world.noticeCopy(life.nowMs);
  noticeCopyOnModel(life.model);
  life.hasWritten = true;
  life.tell('the file is a copy');
}

/** Who holds a run. */
const holderOf = (life: Life, { row }: ModelRun): Claim | undefined =>
  life.claims.find(({ ownerToken }) => ownerToken === row.ownerToken);

/** Something that is tried of a run of a copy, and of which run it would work but for that. */
interface Tried {
  fits(run: ModelRun, life: Life): boolean;
  /** Before the copy is noticed. */
  prepare?(life: Life, runId: string): Promise<void>;
  play(life: Life, run: ModelRun): Promise<void>;
}

const isHeld = ({ row }: ModelRun): boolean => row.status === 'running';
const isUnfenced = (run: ModelRun): boolean => isHeld(run) && run.row.fenceCallId === '';
const isLiving = (run: ModelRun): boolean => !isOver(run);

const byHolder = (
  play: (life: Life, claim: Claim) => Promise<void>,
  fits: (run: ModelRun) => boolean = isHeld,
): Tried => ({
  fits,
  async play(life, run) {
    const claim = holderOf(life, run);
    if (claim) await play(life, claim);
  },
});

const DOUBTED = 'call-orphaned';
const orphan = (life: Life, runId: string): Promise<void> =>
  life.ask(runId, 'record_orphan_write', { write: uncertainWrite('orphaned', DOUBTED), attempt: 1 });

const TRIED: Record<Trial, Tried> = {
  renew: byHolder(ACTS.renew),
  release: byHolder(ACTS.release, isUnfenced),
  fence: byHolder(ACTS.fence),
  suspend: byHolder(ACTS.suspend),
  bounce: byHolder(ACTS.bounce),
  complete: byHolder(ACTS.complete),
  fail: byHolder(ACTS.fail),
  step: byHolder((life, claim) => life.ask(claim.runId, 'record_step', stepOf(claim))),
  reclaim: byHolder((life, { runId, ownerToken }) => life.ask(runId, 'reclaim', { ownerToken, cause: 'worker_died' })),
  orphan: { fits: isLiving, play: (life, { id }) => orphan(life, id) },
  approve: {
    fits: waitsForApproval,
    play: (life, { id }) =>
      life.ask(id, 'decide_approval', decisionOf(life, id, { ...BY, approved: true, confirmsBlind: true })),
  },
  answer: { fits: waitsForInput, play: (life, { id }) => life.ask(id, 'submit_input', answerOf(life, id, BY)) },
  edit: { fits: waitsForApproval, play: (life, { id }) => life.ask(id, 'edit_card', editOf(life, id, BY)) },
  withdraw: {
    fits: (run, { nowMs }) => isApproved(run) && nowMs < run.row.notBeforeAtMs,
    play: (life, { id }) => life.ask(id, 'withdraw_approval', { actor: actorOf(deciderOf(life, id)) }),
  },
  retry: { fits: isDelayed, play: (life, { id }) => life.ask(id, 'retry', { actor: actorOf(ADMINISTRATOR) }) },
  expire: { fits: isWaitingRun, play: (life, { id }) => expire(life, id, 0) },
  remind: { fits: isWaitingRun, play: (life, { id }) => remind(life, id, 0) },
  resolve: {
    fits: (run) => isLiving(run) && !run.isCopied,
    prepare: orphan,
    play: (life, { id }) =>
      life.ask(id, 'resolve_uncertain', { actor: actorOf(ADMINISTRATOR), callId: DOUBTED, finding: 'not_written' }),
  },
};

/** The file is put back from a copy in the middle of things; then somebody goes on as if nothing had been. */
const actOnCopy = async (life: Life, { index, trial, isReleased }: CommandOf<'act_on_copy'>): Promise<void> => {
  const { fits, prepare, play } = TRIED[trial];
  const runs = life.runs().filter((run) => fits(run, life));
  const run = runs[index % Math.max(runs.length, 1)];
  if (!run) return;
  await prepare?.(life, run.id);
  noticeCopy(life);
  await play(life, run);
  const release = { actor: actorOf(ADMINISTRATOR) };
  for (const copied of life.runs().filter(({ isCopied }) => isReleased && isCopied)) {
    await life.ask(copied.id, 'release_restored', release);
  }
};

export const COPY_PLAYS = {
  put_copy_back: async (life) => {
    if (life.runs().some(isLiving)) noticeCopy(life);
  },
  act_on_copy: actOnCopy,
} satisfies { [K in CommandKind]?: (life: Life, command: CommandOf<K>) => Promise<void> };

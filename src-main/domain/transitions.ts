import type { Result } from '../../src-shared/refusals.ts';
import type { Actor } from './actor.ts';
import { cancelIfWaiting, cancelRun, type CancelInput } from './cancel-rules.ts';
import { decideApproval, withdrawApproval, type DecideInput, type WithdrawInput } from './decide-rules.ts';
import { editCard, type EditInput } from './edit-rules.ts';
import { enqueueRun, type EnqueueInput } from './enqueue-rules.ts';
import { expireWaiting, remindOfExpiry } from './expire-rules.ts';
import type { Ownership } from './ownership-rules.ts';
import { reclaimRun, type ReclaimInput } from './reclaim-rules.ts';
import { retryNow, type RetryInput } from './retry-rules.ts';
import { releaseRestored, type ReleaseRestoredInput } from './restored-rules.ts';
import type { Facts, RunChange } from './run-change.ts';
import {
  recordOrphanWrite,
  recordStep,
  releaseClaim,
  renewLease,
  stampFence,
  type OrphanWriteInput,
  type RecordStepInput,
  type ReleaseInput,
  type StampFenceInput,
} from './segment-rules.ts';
import { completeRun, failSegment, type CompleteInput, type FailInput } from './settle-rules.ts';
import { bounceApproval, suspendRun, type BounceInput, type SuspendInput } from './suspend-rules.ts';

import { resolveUncertainWrite, type ResolveInput } from './uncertain-write-rules.ts';
import { submitInput, type SubmitInput } from './submit-rules.ts';
import { settleUnreadable, type SettleUnreadableInput } from './unreadable-rules.ts';

/** Everything a run can undergo, by name, with the data it takes. Only data crosses the store's port. */
export interface TransitionInputs {
  enqueue: EnqueueInput & { configurationId: string };
  record_step: RecordStepInput;
  renew_lease: Ownership;
  stamp_fence: StampFenceInput;
  release_claim: ReleaseInput;
  record_orphan_write: OrphanWriteInput;
  suspend: SuspendInput;
  bounce: BounceInput;
  decide_approval: DecideInput;
  submit_input: SubmitInput;
  edit_card: EditInput;
  withdraw_approval: WithdrawInput;
  complete: CompleteInput;
  fail: FailInput;
  reclaim: ReclaimInput;
  cancel: CancelInput;
  cancel_if_waiting: CancelInput;
  retry: RetryInput;
  release_restored: ReleaseRestoredInput;
  expire: Record<string, never>;
  remind: Record<string, never>;
  settle_unreadable: SettleUnreadableInput;
  resolve_uncertain: ResolveInput;
}
export type TransitionKind = keyof TransitionInputs;

/** What a rule needs the store to read beside the row. */
type Need = 'configuration' | 'pendingTurn' | 'decision' | 'reminder' | 'pause' | 'purge' | 'uncertainWrites';

interface Transition<K extends TransitionKind> {
  rule: (facts: Facts, input: TransitionInputs[K]) => Result<RunChange>;
  needs: readonly Need[];
}

/** The one table of transitions: the store looks rules up here and never takes a function from outside. */
export const TRANSITIONS: { [K in TransitionKind]: Transition<K> } = {
  enqueue: { rule: enqueueRun, needs: ['configuration', 'purge'] },
  record_step: { rule: recordStep, needs: [] },
  renew_lease: { rule: renewLease, needs: [] },
  stamp_fence: { rule: stampFence, needs: ['pause'] },
  release_claim: { rule: releaseClaim, needs: [] },
  record_orphan_write: { rule: recordOrphanWrite, needs: [] },
  suspend: { rule: suspendRun, needs: [] },
  bounce: { rule: bounceApproval, needs: [] },
  decide_approval: { rule: decideApproval, needs: ['configuration', 'pendingTurn'] },
  submit_input: { rule: submitInput, needs: ['configuration', 'pendingTurn'] },
  edit_card: { rule: editCard, needs: ['configuration', 'pendingTurn'] },
  withdraw_approval: { rule: withdrawApproval, needs: ['decision', 'pendingTurn'] },
  complete: { rule: completeRun, needs: ['pendingTurn'] },
  fail: { rule: failSegment, needs: ['pendingTurn', 'configuration'] },
  reclaim: { rule: reclaimRun, needs: ['pendingTurn'] },
  cancel: { rule: cancelRun, needs: ['pendingTurn'] },
  cancel_if_waiting: { rule: cancelIfWaiting, needs: ['pendingTurn'] },
  retry: { rule: retryNow, needs: [] },
  release_restored: { rule: releaseRestored, needs: [] },
  expire: { rule: expireWaiting, needs: ['pendingTurn', 'configuration'] },
  remind: { rule: remindOfExpiry, needs: ['configuration', 'reminder'] },
  settle_unreadable: { rule: settleUnreadable, needs: ['pendingTurn'] },
  resolve_uncertain: { rule: resolveUncertainWrite, needs: ['uncertainWrites'] },
};

/** The actor of a request, if it has one: the store reads that operator's live row. */
export function actorOf(input: TransitionInputs[TransitionKind]): Actor | null {
  return 'actor' in input ? input.actor : null;
}

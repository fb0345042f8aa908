import type { TransitionKind } from '../../src-main/domain/transitions.ts';

/** What is asked of the store in a sequence: a transition of one run, a claim, or something about the installation. */
type Asked = TransitionKind | 'claim' | 'pause' | 'resume' | 'end_offline' | 'mend_due_times';

/** What whoever holds a run, or believes so, may hear. */
const OF_HOLDER = ['lease_lost', 'run_cancelled', 'restored'];

/**
 * Every end each of them can come to: accepted, with what becomes of the run, and each way to be refused. A cell that is
 * not in here must not be hit, and one that is must be hit often; so one that disappears is noticed, too. Not in here:
 * `configuration_gone` of decisions, since configurations are never removed.
 */
export const CELLS: Record<Asked, readonly string[]> = {
  enqueue: [
    'to queued',
    'invalid_request',
    'operator_unavailable',
    'already_started',
    'configuration_gone',
    'configuration_inactive',
  ],
  claim: ['to running', 'nothing'],
  record_step: ['recorded', 'recorded late', 'lease_lost', 'restored'],
  renew_lease: ['recorded', ...OF_HOLDER],
  stamp_fence: ['recorded', 'paused', ...OF_HOLDER],
  release_claim: ['to queued', ...OF_HOLDER],
  record_orphan_write: ['recorded', 'lease_lost', 'restored'],
  suspend: ['to waiting_for_approval', 'to waiting_for_input', ...OF_HOLDER],
  bounce: ['to waiting_for_approval', ...OF_HOLDER],
  decide_approval: [
    'to queued',
    'not_awaiting_approval',
    'already_decided',
    'configuration_inactive',
    'second_approver_required',
    'state_unreadable',
    'stale_turn',
    'stale_preview',
    'approver_not_permitted',
    'stale_tool',
    'blind_not_confirmed',
    'restored',
  ],
  submit_input: [
    'to queued',
    'not_awaiting_input',
    'already_decided',
    'configuration_inactive',
    'state_unreadable',
    'invalid_input',
    'stale_turn',
    'stale_preview',
    'submitter_not_permitted',
    'restored',
  ],
  edit_card: [
    'recorded',
    'not_awaiting_approval',
    'already_decided',
    'configuration_inactive',
    'state_unreadable',
    'stale_turn',
    'stale_preview',
    'no_such_call',
    'approver_not_permitted',
    'invalid_arguments',
    'restored',
  ],
  withdraw_approval: ['to waiting_for_approval', 'unknown_run', 'withdraw_window_over', 'state_unreadable', 'restored'],
  complete: ['to completed', ...OF_HOLDER],
  fail: ['to queued', 'to failed', ...OF_HOLDER],
  reclaim: ['to queued', 'to failed', 'lease_lost', 'restored'],
  cancel: ['to cancelled', 'unknown_run', 'already_ended', 'store_busy'],
  cancel_if_waiting: ['to cancelled', 'unknown_run', 'not_waiting'],
  retry: ['recorded', 'unknown_run', 'not_delayed', 'restored'],
  release_restored: ['recorded', 'not_administrator', 'unknown_run', 'not_restored'],
  expire: ['to cancelled', 'unknown_run', 'not_waiting', 'restored'],
  remind: ['recorded', 'unknown_run', 'not_waiting', 'restored'],
  settle_unreadable: ['to failed', 'not_administrator', 'unknown_run', 'already_ended', 'not_waiting'],
  resolve_uncertain: ['recorded', 'unknown_run', 'no_uncertain_write', 'restored'],
  pause: ['accepted', 'nothing', 'operator_unavailable'],
  resume: ['accepted', 'nothing', 'operator_unavailable', 'not_administrator'],
  end_offline: ['accepted', 'nothing'],
  mend_due_times: ['accepted', 'nothing'],
};

export const cellNames = (): string[] =>
  Object.entries(CELLS).flatMap(([asked, outcomes]) => outcomes.map((outcome) => `${asked} ${outcome}`));

import type { Refusal } from '../../src-shared/refusals.ts';

/** What a refusal means and what to do next, for people at a terminal. */
export function refusalSentence(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'not_awaiting_approval':
      return 'This run does not wait for a decision, or you may not decide it. See: inbox';
    case 'already_decided':
      return `This turn was decided already; the run is ${refusal.status}. See: show RUN`;
    case 'unknown_run':
      return 'There is no such run, or it is not yours to use. See: inbox';
    case 'already_ended':
      return `This run has ended already (${refusal.status}). Nothing was changed.`;
    case 'configuration_gone':
      return `The configuration ${refusal.configuration || 'of this run'} does not exist. Create it with: connect`;
    case 'configuration_inactive':
      return `The configuration ${refusal.configuration} is switched off. Switch it on, then decide again.`;
    case 'second_approver_required':
      return `The configuration ${refusal.configuration} wants a second person for approvals. You can still deny.`;
    case 'state_unreadable':
      return 'The stored turn cannot be read, so nobody can decide it. You can cancel the run; check the chain with: verify';
    case 'stale_turn':
      return 'The decision names no turn or another one. Look at the card with: show RUN — and give its --digest and --revision.';
    case 'stale_preview':
      return `The card has changed since you looked (it is at revision ${refusal.currentRevision} now). Look again with: show RUN`;
    case 'approver_not_permitted':
      return `You may not use ${refusal.toolName} yourself (${refusal.reason}), so you may not release it. The run still waits.`;
    case 'withdraw_window_over':
      return 'It is too late to take this approval back: the write may have started.';
    case 'operator_unavailable':
      return 'Your account is not known here or is switched off.';
    case 'invalid_request':
      return refusal.problems.join(' ');
    case 'lease_lost':
    case 'run_cancelled':
      return 'The run moved on meanwhile. See: show RUN';
    case 'store_busy':
      return `Another process kept the database locked for ${refusal.waitedMs} ms. Nothing was changed; try again.`;
  }
}

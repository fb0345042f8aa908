import { plainLine } from '../../src-shared/plain-text.ts';
import { WRITE_FINDINGS } from '../../src-shared/vocabulary.ts';
import { examine, reap as reapDeadWorkers, repair } from '../compose-care.ts';
import type { Finding } from '../runtime/examine-installation.ts';
import { EXIT, integerOption, onlyPositional, textOption, UsageError, type Command } from './command.ts';
import { restoredLine } from './restored-commands.ts';
import { refuse } from './run-commands.ts';
import { localTime } from './terminal-text.ts';

export const reap: Command = {
  usage: '[--limit N]',
  summary: 'Take the runs of dead workers back now, oldest first',
  options: { limit: { type: 'string' } },
  async run(invocation) {
    const limit = integerOption(invocation, 'limit', 50, 1, 1_000_000);
    const swept = await reapDeadWorkers(invocation.open(), limit);
    const { requeued, deadLettered, skipped, expired, reminded } = swept;
    invocation.answer(swept, [
      `Taken back ${requeued + deadLettered}: queued again ${requeued}, ended ${deadLettered}; moved on meanwhile ${skipped}; questions that expired ${expired}, that will soon ${reminded}.`,
    ]);
    return EXIT.ok;
  },
};

export const doctor: Command = {
  usage: '[--repair]',
  summary: 'Look whether everything that must agree agrees; exit 0 nothing to do, 1 findings',
  options: { repair: { type: 'boolean' } },
  async run(invocation) {
    const opened = invocation.open();
    const findings = await examine(opened);
    if (invocation.options.repair !== true) {
      invocation.answer(
        { findings },
        findings.length > 0 ? findings.map(findingLine).map(plainLine) : ['Nothing to repair.'],
      );
      return findings.length > 0 ? EXIT.refused : EXIT.ok;
    }
    const repairs = await repair(opened, findings);
    if (!repairs) return refuse(invocation, { kind: 'not_administrator' });
    const left = await examine(opened);
    invocation.answer({ repairs, findings: left }, [
      `Queued again ${repairs.requeued}, ended ${repairs.deadLettered}, given up as unreadable ${repairs.settledUnreadable}.`,
      ...left.map(findingLine).map(plainLine),
    ]);
    return left.length > 0 ? EXIT.refused : EXIT.ok;
  },
};

/** A finding and what to do about it. */
function findingLine({ kind, runId, facts }: Finding): string {
  switch (kind) {
    case 'chain':
      return `The audit record does not hold together: ${facts.where}: ${facts.problem}. See: verify`;
    case 'inbox_mismatch':
      return `The inbox and the counts disagree: ${JSON.stringify(facts)}. Put a backup back, or report this.`;
    case 'unreadable':
      return `run ${runId}  its ${facts.part} cannot be opened (${facts.status}). Is the right key beside the database? To end it: doctor --repair`;
    case 'other_form':
      return `run ${runId}  its ${facts.part} was stored by another release (${facts.status}). That release can go on with it; nothing is lost.`;
    case 'stale_claim':
      return `run ${runId}  its worker is gone. To take it back: reap`;
    case 'uncertain_write':
      return `run ${runId}  nobody knows whether ${facts.toolName} wrote (call ${facts.callId}). Look at the target, then: resolve`;
    case 'overdue':
      return `run ${runId}  due since ${localTime(Number(facts.dueSinceMs))}, and no worker takes it. Is its model server busy?`;
    case 'paused':
      return `Everything is paused since ${localTime(Number(facts.sinceMs))}. Go on with: resume`;
    case 'restored':
      return restoredLine(Number(facts.runs));
    case 'low_disk':
      return `${facts.freeMb} MB are free, below ${facts.floorMb}: no run is taken until there is room.`;
  }
}

export const resolveWrite: Command = {
  usage: 'RUN --call ID --found written|not_written',
  summary: 'Say what you found at the target of an uncertain write, and take it off the list',
  options: { call: { type: 'string' }, found: { type: 'string' } },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const callId = textOption(invocation, 'call');
    const text = textOption(invocation, 'found');
    const finding = WRITE_FINDINGS.find((known) => known === text);
    if (!callId) throw new UsageError('--call is missing; the inbox lists the call of each uncertain write.');
    if (!finding) throw new UsageError(`--found must be one of ${WRITE_FINDINGS.join(', ')}.`);
    const opened = invocation.open();
    const resolved = await opened.runtime.resolveUncertainWrite(opened.actor, runId, { callId, finding });
    if (!resolved.ok) return refuse(invocation, resolved.refusal);
    invocation.answer({ runId, callId, finding }, ['Kept in the record; the write is off the list.']);
    return EXIT.ok;
  },
};

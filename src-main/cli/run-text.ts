import { describeTarget, type WriteTarget } from '../../src-shared/write-target.ts';
import type { RunView } from '../../src-shared/views/run-view.ts';
import type { RunEvent, RunResult } from '../domain/run.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { localTime, plainLines } from './terminal-text.ts';

/** One line of a list. */
export function runLine(run: RunView): string {
  const what = run.pendingTool ? `${run.pendingTool} ${run.pendingTarget}` : run.endReason;
  const since = run.waitingSinceMs || run.finishedAtMs || run.createdAtMs;
  return `${run.runId}  ${localTime(since)}  ${run.status.padEnd(20)}  ${plainLine(what)}  ${plainLine(run.label)}`;
}

/** A run that does not wait: status, totals and, when it ended, its last words. */
export function runLines(run: RunView, result: RunResult | null): string[] {
  return [
    `Run        ${run.runId}`,
    `Label      ${plainLine(run.label)}`,
    `Status     ${run.status}${run.endReason ? ` (${run.endReason})` : ''}${run.isTruncated ? ', cut short' : ''}`,
    ...(run.hold === 'restored' ? ['Held       the database was put back from a copy; go on with: release RUN'] : []),
    `Created    ${localTime(run.createdAtMs)}; ended ${localTime(run.finishedAtMs)}`,
    `Spent      ${run.rounds} of ${run.maxRounds} rounds, ${run.inputTokens} + ${run.outputTokens} tokens, cost ${costText(run.costMicros)}`,
    ...(result?.failure ? [`Failure    ${plainLine(result.failure)}`] : []),
    ...(result?.answer ? ['Answer', ...plainLines(result.answer).map((line) => `           ${line}`)] : []),
  ];
}

const costText = (costMicros: number | null): string =>
  costMicros === null ? 'unknown' : (costMicros / 1_000_000).toFixed(4);

/** What people decided and what was written, from the events alone. */
export function historyLines(events: RunEvent[]): string[] {
  return events.flatMap((event) => {
    const { payload } = event;
    if (event.kind === 'approval') {
      const who = payload.decidedBy === 0 ? 'a service account' : `operator ${JSON.stringify(payload.decidedBy)}`;
      return [
        `Decided    ${payload.approved === true ? 'approved' : 'denied'} by ${who}, ${localTime(event.atMs)}, revision ${JSON.stringify(payload.previewRevision)}`,
      ];
    }
    if (event.kind === 'tool_write') {
      const target = describeTarget(payload.target as unknown as WriteTarget);
      return [
        `Written    ${typeof payload.kind === 'string' ? payload.kind : ''} ${plainLine(target)}, ${localTime(event.atMs)}`,
      ];
    }
    return [];
  });
}

/** One line of the timeline. */
export function eventLine(event: RunEvent): string {
  const round = event.round > 0 ? `round ${event.round}` : '';
  return `${String(event.sequence).padStart(4)}  ${localTime(event.atMs)}  ${event.kind.padEnd(18)} ${round.padEnd(8)} ${plainLine(JSON.stringify(event.payload))}`;
}

import { standingApprovals } from '../../src-shared/standing-approvals.ts';
import type { ListedRunView } from '../../src-shared/views/listed-run-view.ts';
import type { RunView } from '../../src-shared/views/run-view.ts';
import type { Hold } from '../../src-shared/vocabulary.ts';
import type { EventDetails } from '../domain/event-details.ts';
import type { RunResult } from '../domain/run.ts';
import type { TimelineEntry } from '../runtime/timeline.ts';
import { attributionWords } from './attribution-words.ts';
import { expiryWords } from './expiry-words.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { localTime, plainLines } from './terminal-text.ts';

/** One line of a list. */
export function runLine(run: ListedRunView, nowMs: number): string {
  const what = run.pendingTool ? `${run.pendingTool} ${run.pendingTarget}` : run.endReason;
  const since = run.waitingSinceMs || run.finishedAtMs || run.createdAtMs;
  const marks = [attributionWords(run.attribution), expiryWords(run.expiresAtMs, nowMs)].filter((mark) => mark !== '');
  const parts = [run.runId, localTime(since), run.status.padEnd(20), plainLine(what), plainLine(run.label), ...marks];
  return parts.join('  ');
}

/** A run that does not wait: status, totals and, when it ended, its last words. */
export function runLines(run: RunView, result: RunResult | null): string[] {
  return [
    `Run        ${run.runId}`,
    `Label      ${plainLine(run.label)}`,
    `Status     ${run.status}${run.endReason ? ` (${run.endReason})` : ''}${run.isTruncated ? ', cut short' : ''}`,
    ...(run.hold === '' ? [] : [`Held       ${HOLD_WORDS[run.hold]}`]),
    `Created    ${localTime(run.createdAtMs)}; ended ${localTime(run.finishedAtMs)}`,
    `Spent      ${run.rounds} of ${run.maxRounds} rounds, ${run.inputTokens} + ${run.outputTokens} tokens, cost ${costText(run)}`,
    ...(result?.failure ? [`Failure    ${plainLine(result.failure)}`] : []),
    ...(result?.answer ? ['Answer', ...plainLines(result.answer).map((line) => `           ${line}`)] : []),
  ];
}

const HOLD_WORDS: Record<Exclude<Hold, ''>, string> = {
  offline: 'its model cannot be reached; it is tried again by itself',
  configuration_inactive: 'its configuration is switched off',
  initiator_unavailable: 'the account it runs for is disabled; the decision is kept until it is enabled again',
  paused: 'everything is paused; go on with: resume',
  restored: 'the database was put back from a copy; go on with: release RUN',
};

/** Never a sum that looks exact while part of it is not known. */
function costText({ costMicros, unpricedAnswers }: RunView): string {
  if (costMicros === null) return 'unknown';
  const known = (costMicros / 1_000_000).toFixed(4);
  return unpricedAnswers > 0 ? `at least ${known} (answers without a known cost: ${unpricedAnswers})` : known;
}

/** What people decided and what really came of it: what was written, what failed, and what came to nothing. */
export function historyLines(entries: TimelineEntry[]): string[] {
  const standing = new Set(standingApprovals(entries, isGranted));
  let released: TimelineEntry | null = null;
  return entries.flatMap((entry) => {
    if (entry.kind === 'approval') released = standing.has(entry) ? entry : null;
    // The calls of an approved turn come before the model is asked again.
    if (entry.kind === 'llm') released = null;
    return historyLine(entry, standing.has(entry), released !== null) ?? [];
  });
}

const isGranted = ({ details }: TimelineEntry): boolean => details.approved === true;

function historyLine(entry: TimelineEntry, stands: boolean, isReleased: boolean): string | null {
  const { details } = entry;
  const at = localTime(entry.atMs);
  const by = plainLine(entry.actorName) || 'nobody known';
  switch (entry.kind) {
    case 'approval': {
      const card = `revision ${details.previewRevision}`;
      if (!isGranted(entry)) return `Decided    denied by ${by}, ${at}, ${card}`;
      const said = stands ? attributionWords(entry.attribution) : 'it came to nothing';
      return `Decided    approved by ${by}, ${at}, ${card}; ${said}${details.blind === true ? '; without a preview' : ''}`;
    }
    case 'input':
      return `Answered   by ${by}, ${at}`;
    case 'approval_bounced':
      return `Came back  the target had changed or could not be compared, nothing was written, ${at}`;
    case 'approval_withdrawn':
      return `Withdrawn  by ${by}, nothing was written, ${at}`;
    case 'tool':
      return isReleased && details.toolIsError === true ? failedLine(details, at) : null;
    case 'tool_write':
      return `Written    ${details.kind} ${plainLine(String(details.target))}, ${at}`;
    default:
      return null;
  }
}

/** An approved call that did not do what was approved. Source: human-decisions.md LIM-14. */
const failedLine = ({ toolName, outcome }: EventDetails, at: string): string =>
  `Failed     ${plainLine(String(toolName))} ${outcome === 'failed' ? 'answered with an error' : `was not carried out (${outcome})`}, ${at}`;

/** One line of the timeline: what may be told of an event, as `name=value`. */
export function eventLine(entry: TimelineEntry): string {
  const { sequence, atMs, kind, round, durationMs, attribution, details, actorName } = entry;
  const told = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'boolean' ? Number(value) : value};`,
  );
  const parts = [
    `${String(sequence).padStart(4)}  ${localTime(atMs)}  ${kind.padEnd(18)}`,
    (round > 0 ? `round ${round}` : '').padEnd(8),
    ...(durationMs >= 1 ? [`${Math.round(durationMs)} ms`] : []),
    ...(actorName ? [`by ${plainLine(actorName)}`] : []),
    ...(attribution ? [`(${attributionWords(attribution)})`] : []),
    plainLine(told.join(' ')),
  ];
  return parts.join(' ').trimEnd();
}

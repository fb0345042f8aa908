import type { Console } from '../../src-main/compose.ts';
import { isTerminal, type EventDraft, type RunRecord } from '../../src-main/domain/run.ts';
import { lifecycleEvent, type RunChange } from '../../src-main/domain/run-change.ts';
import { appendChange, signHead } from '../../src-main/store/change-log.ts';
import { chainEvents, CHAIN_START, insertEvents } from '../../src-main/store/event-log.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import { columnValues } from '../../src-main/store/run-row.ts';
import { indexChange, indexRun } from '../../src-main/store/search-index.ts';
import { aCall, aPreview, aRun, aTurn } from '../support/run-builders.ts';

export const PEOPLE = 10;
export const CONFIGURATIONS = 20;
export const PAGES = 5_000;
const TOOLS = ['get_record', 'query_records', 'update_record', 'read_file', 'edit_file', 'list_files', 'ask_form'];
/** Of each size so many runs wait for a person, and as many are queued; all others have ended. */
export const OPEN = 500;
const ROWS_PER_COMMIT = 10_000;
const STARTED_AT_MS = 1_750_000_000_000;

const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'zu'];
/** One of a thousand words. */
export const wordOf = (index: number): string =>
  [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100) % 10].map((each) => SYLLABLES[each]).join('');

/**
 * Puts runs into the file that no worker ever had: rows like those of the store, found by the store's own index, each with
 * its last change, by which a list tells whether it came with a copy, and an ended one with the approval that a list names.
 * No list reads any other event.
 */
export function fillLists({ installation, clock }: Console, runs: number): void {
  const { statements, sealer } = installation;
  const { database } = statements;
  for (let id = 2; id <= PEOPLE; id += 1) {
    const person = { id, name: `person${id}`, osAccount: `uid:bench-${id}`, isAdmin: false, isEnabled: true };
    saveOperator(statements, sealer, { ...person, grants: [] }, clock.nowMs());
  }
  // Nobody is born at the end of a life but here.
  database.exec('drop trigger temp.run_births');
  const columns = Object.keys({ ...columnValues(aRun()), last_hash: CHAIN_START });
  const insert = database.prepare(
    `insert into runs (${columns.join(', ')}) values (${columns.map((name) => `:${name}`).join(', ')})`,
  );
  const fill = database.transaction((from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      const run = runAt(index, runs);
      const approval = isTerminal(run.status) ? [approvalAt(index)] : [];
      const { rows, head } = chainEvents(run, { sequence: -1, hash: CHAIN_START }, approval, run.createdAtMs);
      insert.run({ ...columnValues({ ...run, lastSequence: head.sequence }), last_hash: head.hash });
      insertEvents(statements, rows);
      const change = changeAt(index);
      indexRun(statements, run, change);
      indexChange(statements, run, run, change);
      appendChange(statements, {
        run_id: run.id,
        kind: change.kind,
        status: run.status,
        last_sequence: head.sequence,
        last_hash: head.hash,
        at_ms: run.createdAtMs,
      });
    }
    signHead(statements, (text) => sealer.mac(text));
  });
  for (let done = 0; done < runs; done += ROWS_PER_COMMIT) fill(done, Math.min(runs, done + ROWS_PER_COMMIT));
}

/** Spread over the whole file, not only at its end, where every list begins. */
function statusAt(index: number, runs: number): Pick<RunRecord, 'status' | 'waitingSinceMs' | 'finishedAtMs'> {
  const every = Math.max(2, Math.floor(runs / OPEN));
  const atMs = STARTED_AT_MS + index * 1_000;
  if (index % every === 0) return { status: 'waiting_for_approval', waitingSinceMs: atMs, finishedAtMs: 0 };
  if (index % every === 1) return { status: 'queued', waitingSinceMs: 0, finishedAtMs: 0 };
  return { status: index % 9 === 0 ? 'failed' : 'completed', waitingSinceMs: 0, finishedAtMs: atMs };
}

function runAt(index: number, runs: number): RunRecord {
  const initiatorId = 1 + (index % PEOPLE);
  return aRun({
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    label: `Meta description of page ${index % PAGES}, ${wordOf(index % 1_000)} ${wordOf((index * 7 + 3) % 1_000)} number ${index}`,
    configurationIdentifier: `site-${index % CONFIGURATIONS}`,
    initiatorId,
    actor: { kind: 'operator', operatorId: initiatorId },
    createdAtMs: STARTED_AT_MS + index * 1_000,
    ...statusAt(index, runs),
  });
}

/** Sometimes by the person who started the run, mostly by somebody else. */
const approvalAt = (index: number): EventDraft =>
  lifecycleEvent('approval', { approved: true, decidedBy: 1 + ((index * 7) % PEOPLE), decisionNumber: 1 });

function changeAt(index: number): RunChange {
  const call = aCall(TOOLS[index % TOOLS.length] ?? '');
  const preview = aPreview(call);
  const target = { kind: 'record', database: 'site', table: 'pages', key: { id: index % PAGES } } as const;
  return {
    kind: 'waiting',
    from: 'running',
    set: {},
    events: [{ kind: 'llm', round: 1, durationMs: 1, payload: { requestedToolNames: ['get_record', call.name] } }],
    pendingTurn: aTurn([call], { previews: [{ ...preview, target }] }),
  };
}

import type { Attribution } from '../../src-shared/vocabulary.ts';
import { attributionOfEvent } from '../domain/attribution.ts';
import { eventDetails, type EventDetails } from '../domain/event-details.ts';
import type { RunEvent, RunRecord } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';

/** An event as it is told to anybody who may read the run: never its content, whatever was stored of it. */
export interface TimelineEntry extends Pick<
  RunEvent,
  'sequence' | 'kind' | 'round' | 'attempt' | 'atMs' | 'durationMs'
> {
  /** Who acted; '' = nobody, or a person who is gone. */
  actorName: string;
  /** Of an approval: who gave it, as seen from who started the run. Whether it stood is said by what comes after. */
  attribution: Attribution | '';
  details: EventDetails;
}

/** Where each kind of event that tells of a person keeps their id. */
const PERSON_FIELDS: Partial<Record<RunEvent['kind'], string>> = {
  approval: 'decidedBy',
  input: 'submittedBy',
  approval_withdrawn: 'withdrawnBy',
  arguments_edited: 'editedBy',
  card_renewed: 'renewedBy',
  cancelled: 'cancelledBy',
  retried: 'retriedBy',
  released: 'releasedBy',
  uncertain_resolved: 'resolvedBy',
};

/**
 * Everything that happened to a run as one list, in the order of the record: loop steps, model calls, decisions and what was
 * refused to its tools are events of one stream, whose sequence holds where a clock does not (LIM-37).
 * Source: human-decisions.md §15.4; R-181.
 */
export async function timeline(
  store: Pick<RunStore, 'operator'>,
  { initiatorId }: Pick<RunRecord, 'initiatorId'>,
  events: RunEvent[],
): Promise<TimelineEntry[]> {
  const names = await namesIn(store, events);
  return events.map((event) => {
    const { sequence, kind, round, attempt, atMs, durationMs } = event;
    return {
      sequence,
      kind,
      round,
      attempt,
      atMs,
      durationMs,
      actorName: serviceOf(event) || (names.get(personOf(event)) ?? ''),
      attribution: attributionOfEvent(initiatorId, event),
      details: eventDetails(event),
    };
  });
}

/** Each person looked up once. */
async function namesIn(store: Pick<RunStore, 'operator'>, events: RunEvent[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const id of new Set(events.map(personOf))) {
    if (id > 0) names.set(id, (await store.operator(id))?.name ?? '');
  }
  return names;
}

function personOf({ kind, payload }: RunEvent): number {
  const id = payload[PERSON_FIELDS[kind] ?? ''];
  return typeof id === 'number' ? id : 0;
}

const serviceOf = ({ kind, payload }: RunEvent): string =>
  PERSON_FIELDS[kind] && typeof payload.serviceAccount === 'string' ? payload.serviceAccount : '';

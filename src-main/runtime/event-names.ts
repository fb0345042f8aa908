import type { RunEvent } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';

/** An event with the name of who acted; '' = nobody, or a person who is gone. */
export interface NamedEvent extends RunEvent {
  actorName: string;
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

/** Puts names to the ids in events, each person looked up once. */
export async function withNames(store: Pick<RunStore, 'operator'>, events: RunEvent[]): Promise<NamedEvent[]> {
  const names = new Map<number, string>();
  for (const id of new Set(events.map(personOf))) {
    if (id > 0) names.set(id, (await store.operator(id))?.name ?? '');
  }
  return events.map((event) => ({ ...event, actorName: serviceOf(event) || (names.get(personOf(event)) ?? '') }));
}

function personOf({ kind, payload }: RunEvent): number {
  const id = payload[PERSON_FIELDS[kind] ?? ''];
  return typeof id === 'number' ? id : 0;
}

const serviceOf = ({ kind, payload }: RunEvent): string =>
  PERSON_FIELDS[kind] && typeof payload.serviceAccount === 'string' ? payload.serviceAccount : '';

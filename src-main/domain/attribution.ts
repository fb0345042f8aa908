import { standingApprovals } from '../../src-shared/standing-approvals.ts';
import { ATTRIBUTIONS, type Attribution, type EventKind } from '../../src-shared/vocabulary.ts';

/** An event that says something of approvals; what was stored with it as it was read, which may be anything. */
export interface ApprovalTrace {
  kind: EventKind;
  payload: unknown;
}

const isPerson = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id > 0;

/** Who approved, as seen from who started the run. Who decided is asked first: nobody is nobody's second person. */
export function attributionOf(initiatorId: number, decidedBy: unknown): Attribution {
  if (!isPerson(decidedBy)) return 'unresolved';
  if (!isPerson(initiatorId)) return 'initiatorUnknown';
  return decidedBy === initiatorId ? 'self' : 'secondPerson';
}

/** What is said of an approval; '' of a denial and of anything else, which carry none. */
export function attributionOfEvent(initiatorId: number, { kind, payload }: ApprovalTrace): Attribution | '' {
  const { approved, decidedBy } = (payload ?? {}) as { approved?: unknown; decidedBy?: unknown };
  return kind === 'approval' && approved === true ? attributionOf(initiatorId, decidedBy) : '';
}

/** What is said of a run with these events: the strongest of its approvals that stood; '' = there is none. */
export function attributionOfRun(initiatorId: number, events: readonly ApprovalTrace[]): Attribution | '' {
  const said = standingApprovals(events, (event) => attributionOfEvent(initiatorId, event) !== '');
  return strongest(said.map((event) => attributionOfEvent(initiatorId, event)));
}

/** One among several decides what is said of all. Source: human-decisions.md §11. */
export const strongest = (said: readonly (Attribution | '')[]): Attribution | '' =>
  ATTRIBUTIONS.find((attribution) => said.includes(attribution)) ?? '';

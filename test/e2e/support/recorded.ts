import type { ConsoleUnderTest } from './console.ts';

/** An event as the command line prints it. */
export interface RecordedEvent {
  kind: string;
  sequence: number;
  details: Record<string, string | number | boolean>;
}

/** What the committed row says about the card. */
export interface RecordedCard {
  turnDigest: string;
  previewRevision: number;
  calls: { toolName: string; isStale: boolean; arguments: Record<string, unknown> }[];
}

interface Shown {
  status: string;
  card: RecordedCard | null;
}

/** Events of a run, read by another process than the console. */
export const eventsOf = (app: ConsoleUnderTest, runId: string): Promise<RecordedEvent[]> =>
  app.cliJson<RecordedEvent[]>('events', runId);

/** The kinds of all events of a run, in order. */
export const kindsOf = async (app: ConsoleUnderTest, runId: string): Promise<string[]> =>
  (await eventsOf(app, runId)).map(({ kind }) => kind);

/** How a run stands, read by another process than the console. */
export const statusOf = async (app: ConsoleUnderTest, runId: string): Promise<string> =>
  (await app.cliJson<Shown>('show', runId)).status;

/** The card of a waiting run, read by another process than the console. Faults: when the run does not wait. */
export async function cardOf(app: ConsoleUnderTest, runId: string): Promise<RecordedCard> {
  const { card, status } = await app.cliJson<Shown>('show', runId);
  if (!card) throw new Error(`Run ${runId} is ${status} and has no card.`);
  return card;
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleSettings } from '../../src-main/compose-sample.ts';
import { openConsole, startNodePool, STOP_GRACE_MS, verifyInstallation } from '../../src-main/compose.ts';

/** What was written, for the report. */
export interface Filled {
  runs: number;
  waiting: number;
  events: number;
  seconds: number;
}

const SOURCES = join(import.meta.dirname, '..', '..', 'src-main');
/** How many of the runs wait for a person; the others have ended. */
const WAITING = 100;
/** So many transitions share the commits of one moment. */
const TOGETHER = 500;

/**
 * Fills a new installation with runs the way they come to be: enqueued, then either carried out by real workers until they
 * wait for a person, or cancelled. Every event is in the chain, and the chain is recomputed before anything is measured.
 * Faults: when a transition is refused or the chain does not hold.
 */
export async function fillDatabase(databasePath: string, siteFolder: string, runs: number): Promise<Filled> {
  const startedMs = performance.now();
  const callerUrl = pathToFileURL(join(SOURCES, 'compose.ts')).href;
  const opened = openConsole(databasePath);
  const { runtime, actor, installation, clock } = opened;
  const configuration = {
    id: opened.newId(),
    identifier: 'sample',
    isActive: true,
    settings: sampleSettings(callerUrl, siteFolder),
  };
  await installation.store.saveConfiguration(configuration, null, clock.nowMs());
  const enqueue = async (index: number): Promise<string> => {
    const wanted = {
      configurationId: configuration.id,
      label: `Meta description of page ${1 + (index % 40)}, number ${index}`,
      prompt: `Check the meta description of page ${1 + (index % 40)}`,
      maxRounds: null,
      allowedToolNames: null,
    };
    const queued = await runtime.enqueue(actor, wanted);
    if (!queued.ok) throw new Error(`Refused: ${queued.refusal.kind}`);
    return queued.value.id;
  };
  for (let done = 0; done < runs - WAITING; done += TOGETHER) {
    const count = Math.min(TOGETHER, runs - WAITING - done);
    const ids = await Promise.all(Array.from({ length: count }, (_, index) => enqueue(done + index)));
    const ended = await Promise.all(ids.map((id) => runtime.cancel(actor, id)));
    if (ended.some((each) => !each.ok)) throw new Error('A run could not be cancelled.');
  }
  const waiting = await Promise.all(Array.from({ length: WAITING }, (_, index) => enqueue(runs - WAITING + index)));
  const pool = startNodePool(opened, 2, callerUrl);
  await Promise.all(waiting.map((id) => runtime.awaitSettled(actor, id, AbortSignal.timeout(300_000))));
  await pool.stop(STOP_GRACE_MS);
  const statuses = await Promise.all(waiting.map((id) => runtime.status(actor, id)));
  const { problems, events } = verifyInstallation(opened);
  opened.close();
  if (problems.length > 0) throw new Error(`The chain does not hold: ${JSON.stringify(problems[0])}`);
  return {
    runs,
    waiting: statuses.filter((run) => run?.status === 'waiting_for_approval').length,
    events,
    seconds: Math.round(performance.now() - startedMs) / 1_000,
  };
}

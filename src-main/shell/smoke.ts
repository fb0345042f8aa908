import { sampleSettings } from '../compose-sample.ts';
import { openSearch, verifyInstallation, type Console } from '../compose.ts';
import { dataFolder } from '../system/paths.ts';

const PROMPT = 'Check the meta description of page 42';
const LIMIT_MS = 30_000;

/**
 * The proof that everything works inside this Electron: workers and their tool
 * children, a run that suspends at its write, an approval that is carried out, an
 * audit chain that holds. The site stands beside the data folder, which no tool may
 * touch. Returns the line to print.
 */
export async function smokeLine(opened: Console, workers: number, callerUrl: string): Promise<string> {
  const { runtime, actor, installation, clock } = opened;
  const configuration = {
    id: opened.newId(),
    identifier: `smoke-${clock.nowMs()}`,
    isActive: true,
    settings: sampleSettings(callerUrl, `${dataFolder()}-site`),
  };
  await installation.store.saveConfiguration(configuration, null, clock.nowMs());
  const limit = AbortSignal.timeout(LIMIT_MS);
  const wanted = {
    configurationId: configuration.id,
    label: 'Smoke',
    prompt: PROMPT,
    maxRounds: null,
    allowedToolNames: null,
  };
  const waiting = await runtime.run(actor, wanted, limit);
  const card = waiting.ok ? await runtime.pendingDecision(actor, waiting.value.id) : null;
  if (card) await runtime.approve(actor, card.runId, { ...card, withdrawWindowMs: 0 });
  const settled = card ? await runtime.awaitSettled(actor, card.runId, limit) : waiting;
  const kinds = settled.ok ? (await runtime.events(actor, settled.value.id)).map((event) => event.kind) : [];
  const { problems } = verifyInstallation(opened);
  const found = await findSmoke(opened, callerUrl);
  const status = settled.ok ? settled.value.status : settled.refusal.kind;
  const isWhole = status === 'completed' && kinds.includes('tool_write') && problems.length === 0 && found > 0;
  return `${isWhole ? 'smoke ok' : 'smoke failed'} ${JSON.stringify({ status, kinds, problems, workers, found })}`;
}

/** How many runs the search finds, in its thread. */
async function findSmoke(opened: Console, callerUrl: string): Promise<number> {
  const search = openSearch(opened, callerUrl);
  try {
    const nothing = { group: null, status: null, tool: null, target: null, configuration: null, initiator: null };
    const page = await search.search({
      ...nothing,
      text: 'smoke',
      sinceMs: null,
      ownerId: null,
      seesPrompts: false,
      beforeKey: null,
      limit: 1,
      withFacets: false,
    });
    return page.count;
  } finally {
    await search.close();
  }
}

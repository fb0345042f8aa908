import { AT_COMMAND_LINE } from './decide-commands.ts';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import { addSample, openConsole, startNodePool, STOP_GRACE_MS, verifyInstallation, type Console } from '../compose.ts';
import type { RunRecord } from '../domain/run.ts';
import { openSqlite } from '../system/open-sqlite.ts';
import { untilSignal } from '../system/until-signal.ts';
import { cardLines } from './card-text.ts';
import { EXIT, textOption, UsageError, type Command, type Invocation, isYes } from './command.ts';
import { eventLine, runLines } from './run-text.ts';
import { runView } from '../ipc/run-view.ts';

const PROMPT = 'Check the meta description of page 42';

/** The record the demo is about, read straight from the sample site's file. */
interface DemoRecord {
  table: 'pages';
  key: { id: 42 };
  field: 'meta_description';
  before: string | null;
  after: string | null;
}

export const demo: Command = {
  usage: '[--yes | --no] [--keep DIR]',
  summary: 'The whole story on the sample site: a run proposes a change, you decide, the audit proves it',
  options: { yes: { type: 'boolean' }, no: { type: 'boolean' }, keep: { type: 'string' } },
  async run(invocation) {
    const keep = textOption(invocation, 'keep');
    const { yes, no } = invocation.options;
    if (invocation.options.as !== undefined)
      throw new UsageError('The demo has a console and a person of its own; leave out --as.');
    if (yes && no) throw new UsageError('Decide with --yes or with --no, not with both.');
    if (!yes && !no && !invocation.canAsk)
      throw new UsageError('There is no terminal to ask at. Decide with --yes or --no.');
    const folder = demoFolder(keep);
    const opened = openConsole(join(folder, 'countersign', 'countersign.db'));
    const pool = startNodePool(opened, 2, invocation.callerUrl);
    try {
      // Ctrl+C ends the story, not the clean-up.
      const told = tell(invocation, opened, folder, keep !== undefined);
      return await Promise.race([told, untilSignal().then(() => EXIT.interrupted)]);
    } finally {
      await pool.stop(STOP_GRACE_MS);
      opened.close();
      if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    }
  },
};

function demoFolder(keep: string | undefined): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  const folder = resolve(keep);
  if (existsSync(join(folder, 'countersign')))
    throw new UsageError(`${folder} holds a demo already. Choose an empty folder.`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function tell(invocation: Invocation, opened: Console, folder: string, isKept: boolean): Promise<number> {
  const { runtime, actor } = opened;
  const added = await addSample(opened, invocation.callerUrl, join(folder, 'site'));
  if (!added.ok) throw new Error(`The sample site could not be saved: ${added.refusal.kind}.`);
  const [configuration] = added.value;
  const sitePath = configuration?.settings.databases[0]?.path ?? '';
  const before = metaDescription(sitePath);
  invocation.print(`A run starts: “${PROMPT}”.`);
  const wanted = {
    configurationId: configuration?.id ?? '',
    label: 'Demo',
    prompt: PROMPT,
    maxRounds: null,
    allowedToolNames: null,
  };
  const waiting = await runtime.run(actor, wanted, AbortSignal.timeout(DEADLINE_MS));
  if (!waiting.ok) throw new Error(`The demo could not start: ${waiting.refusal.kind}.`);
  const card = await runtime.pendingDecision(actor, waiting.value.id);
  if (!card) return report(invocation, opened, waiting.value, recordOf(before, sitePath), folder, isKept);
  invocation.print('It asks for a write, so it has stopped. Nothing is changed yet. This is its card:\n');
  for (const line of cardLines(card, opened.clock.nowMs())) invocation.print(line);
  const isApproved = await decision(invocation);
  if (isApproved === null) return EXIT.interrupted;
  const settled = await decideAndWait(opened, card, isApproved);
  return report(invocation, opened, settled, recordOf(before, sitePath), folder, isKept);
}

const DEADLINE_MS = 60_000;

/** Null = the person left without an answer. */
async function decision(invocation: Invocation): Promise<boolean | null> {
  if (invocation.options.yes || invocation.options.no) return invocation.options.yes === true;
  const answer = await invocation.ask('\nApprove this change? Type yes to approve, anything else denies: ');
  return answer === null ? null : isYes(answer);
}

async function decideAndWait(
  { runtime, actor }: Console,
  card: PendingDecisionView,
  isApproved: boolean,
): Promise<RunRecord> {
  const binding = {
    turnDigest: card.turnDigest,
    previewRevision: card.previewRevision,
    withdrawWindowMs: 0,
    trigger: AT_COMMAND_LINE,
  };
  const decided = isApproved
    ? await runtime.approve(actor, card.runId, binding)
    : await runtime.deny(actor, card.runId, binding);
  if (!decided.ok) throw new Error(`The decision was refused: ${decided.refusal.kind}.`);
  const settled = await runtime.awaitSettled(actor, card.runId, AbortSignal.timeout(DEADLINE_MS));
  if (!settled.ok) throw new Error(`The run is gone: ${settled.refusal.kind}.`);
  return settled.value;
}

const recordOf = (before: string | null, sitePath: string): DemoRecord => ({
  table: 'pages',
  key: { id: 42 },
  field: 'meta_description',
  before,
  after: metaDescription(sitePath),
});

function metaDescription(sitePath: string): string | null {
  const site = openSqlite(sitePath, { readonly: true });
  try {
    return site.prepare('select meta_description from pages where id = 42').pluck().get() as string | null;
  } finally {
    site.close();
  }
}

async function report(
  invocation: Invocation,
  opened: Console,
  run: RunRecord,
  record: DemoRecord,
  folder: string,
  isKept: boolean,
): Promise<number> {
  const { runtime, actor, installation } = opened;
  const events = await runtime.timeline(actor, run.id);
  const result = await runtime.result(actor, run.id);
  const chain = verifyInstallation(opened);
  const chainVerified = chain.problems.length === 0;
  invocation.answer(
    {
      outcome: run.status,
      runId: run.id,
      record,
      events: events.map((event) => event.kind),
      chainVerified,
      answer: result?.answer ?? '',
      failure: result?.failure ?? '',
      database: isKept ? installation.paths.database : null,
      site: isKept ? join(folder, 'site') : null,
    },
    [
      '',
      ...runLines(runView(run), result),
      '',
      'What is recorded, in order:',
      ...events.map(eventLine),
      '',
      `The field was: ${record.before ?? 'NULL'}`,
      `It is now:     ${record.after ?? 'NULL'}`,
      chainVerified ? 'The audit chain holds.' : 'The audit chain does NOT hold.',
      ...(isKept
        ? [`Kept in ${folder}. Look again with: npm run -s cli -- events ${run.id} --db ${installation.paths.database}`]
        : ['Everything was in a temporary folder and is gone now; --keep DIR keeps it.']),
    ],
  );
  return run.status === 'completed' && chainVerified ? EXIT.ok : EXIT.refused;
}

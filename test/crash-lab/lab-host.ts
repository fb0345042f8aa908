import { openConsole, startNodePool } from '../../src-main/compose.ts';
import type { JsonObject } from '../../src-main/domain/json-value.ts';

/*
 * A host of the crash lab: the same console and worker pool as every other host, told
 * by the lab what the person in front of it does. Runs as a bundle, with its worker beside it (bundle.ts). `lab-host.ts <database> <workers>`;
 * the crash point comes from the environment, as for every host in a checkout.
 */

/** What the person does. */
export type LabOrder =
  | { do: 'enqueue'; configurationId: string; label: string }
  /** Approves the card that the run waits with now. */
  | { do: 'approve'; runId: string }
  /** Fills in every form that the run waits with now, and sends them off. */
  | { do: 'answer'; runId: string; entered: JsonObject }
  /** Tries a delayed run now. */
  | { do: 'retry'; runId: string }
  | { do: 'cancel'; runId: string }
  | { do: 'workers' }
  | { do: 'stop' };

/** What the host answers: the id of the new run, `ok`, a refusal or a fault; or the workers. */
export type LabAnswer = { said: string } | { workers: { workerId: string; pid: number; isReady: boolean }[] };

const [databasePath = '', workers = '2'] = process.argv.slice(2);
const opened = openConsole(databasePath);
const pool = startNodePool(opened, Number(workers), import.meta.url);

process.on('message', ({ number, order }: { number: number; order: LabOrder }) => {
  carryOut(order)
    .catch((error: unknown): LabAnswer => ({ said: `fault: ${String(error)}` }))
    .then((answer) => process.send?.({ number, answer }, () => order.do === 'stop' && process.exit(0)))
    .catch(() => process.exit(1));
});
process.on('disconnect', () => process.exit(1));
process.send?.('open');

async function carryOut(order: LabOrder): Promise<LabAnswer> {
  const { runtime, actor } = opened;
  switch (order.do) {
    case 'enqueue': {
      const wanted = { prompt: order.label, maxRounds: null, allowedToolNames: null };
      const queued = await runtime.enqueue(actor, { ...wanted, ...order });
      return { said: queued.ok ? queued.value.id : queued.refusal.kind };
    }
    case 'approve': {
      const card = await runtime.pendingDecision(actor, order.runId);
      if (!card) return { said: 'no card' };
      const decided = await runtime.approve(actor, order.runId, { ...card, withdrawWindowMs: 0 });
      return { said: decided.ok ? 'ok' : decided.refusal.kind };
    }
    case 'answer': {
      const card = await runtime.pendingDecision(actor, order.runId);
      if (!card) return { said: 'no card' };
      const answers = Object.fromEntries(card.questions.map(({ callId }) => [callId, order.entered]));
      const submitted = await runtime.submitInput(actor, order.runId, { ...card, answers });
      return { said: submitted.ok ? 'ok' : submitted.refusal.kind };
    }
    case 'retry': {
      const tried = await runtime.retry(actor, order.runId);
      return { said: tried.ok ? 'ok' : tried.refusal.kind };
    }
    case 'cancel': {
      const cancelled = await runtime.cancel(actor, order.runId);
      return { said: cancelled.ok ? 'ok' : cancelled.refusal.kind };
    }
    case 'workers':
      return {
        workers: pool.workers().map(({ workerId, pid, state }) => ({
          workerId,
          pid: pid ?? 0,
          isReady: state === 'ready',
        })),
      };
    case 'stop':
      await pool.stop(10_000);
      opened.close();
      return { said: 'ok' };
  }
}

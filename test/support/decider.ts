import { openConsole } from '../../src-main/compose.ts';

/*
 * A second person at a second process: approves a card at an agreed moment and
 * reports when it started, when it ended and what it was told.
 */
interface Order {
  runId: string;
  turnDigest: string;
  previewRevision: number;
  /** Machine-wide monotonic time at which everybody decides. */
  atNs: string;
}

const opened = openConsole(process.argv[2]);
process.on('message', (order: Order) => void decide(order));
process.on('disconnect', () => opened.close());
process.send?.('ready');

async function decide(order: Order): Promise<void> {
  const at = BigInt(order.atNs);
  while (process.hrtime.bigint() < at);
  const startedNs = process.hrtime.bigint();
  const result = await opened.runtime.approve(opened.actor, order.runId, { ...order, withdrawWindowMs: 0 });
  process.send?.({
    startedNs: String(startedNs),
    endedNs: String(process.hrtime.bigint()),
    answer: result.ok ? 'ok' : result.refusal.kind,
  });
}

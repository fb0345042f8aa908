import type { Clock } from '../domain/clock.ts';
import { configurationFacts } from '../domain/configuration-facts.ts';
import { HEALTH_DEFAULTS } from '../domain/health-rules.ts';
import type { JsonObject, JsonValue } from '../domain/json-value.ts';
import { redactText, redactValue } from '../domain/redaction.ts';
import type { RunRecord } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';
import type { Finding } from './examine-installation.ts';

export interface DiagnosticsPorts {
  store: RunStore;
  clock: Clock;
  findings(): Promise<Finding[]>;
  /** Versions and platform of this process. */
  machine: JsonObject;
  /** The installation as it is kept: schema, protection, sizes, free space. */
  installation: JsonObject;
  /** The newest lines of the log, oldest first. */
  logLines: string[];
}

/**
 * All that somebody needs who is to help, and nothing of what runs were about: no
 * prompt, argument, result, answer or target; labels of living runs only when asked
 * for. Every text in it is redacted once more, the lines of the log too.
 */
export async function diagnose(ports: DiagnosticsPorts, withLabels: boolean): Promise<JsonObject> {
  const { store, clock } = ports;
  const nowMs = clock.nowMs();
  const workerMaxAgeMs = HEALTH_DEFAULTS.maxAgeSeconds * 1_000;
  const living = [...(await store.activeRuns()), ...(await store.waitingRuns())];
  const bundle = {
    madeAt: new Date(nowMs).toISOString(),
    machine: ports.machine,
    installation: ports.installation,
    health: await store.health({ nowMs, workerMaxAgeMs, transport: null }),
    counts: await store.runCounts(0),
    findings: await ports.findings(),
    configurations: (await store.configurations()).map(configurationFacts),
    livingRuns: living.map((run) => runFacts(run, withLabels)),
    log: ports.logLines.map(logEntry),
  };
  return redactValue(bundle as unknown as JsonValue) as JsonObject;
}

const runFacts = (run: RunRecord, withLabels: boolean): JsonObject => ({
  runId: run.id,
  ...(withLabels ? { label: run.label } : {}),
  status: run.status,
  configuration: run.configurationIdentifier,
  hold: run.hold,
  phase: run.phase,
  attempt: run.attempt,
  rounds: run.rounds,
  createdAtMs: run.createdAtMs,
  nextAttemptAtMs: run.nextAttemptAtMs,
});

/** A line as the log wrote it; one that a full disk cut short stays a text. */
function logEntry(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return redactText(line);
  }
}

import type { Attribution } from '../../src-shared/vocabulary.ts';
import { attributionOfRun } from '../domain/attribution.ts';
import type { Configuration } from '../domain/configuration.ts';
import { expiresAtMs } from '../domain/expire-rules.ts';
import { isTerminal, isWaiting, type RunRecord } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';

/** A run as a row of a list, with what its own row does not say. */
export interface ListedRun extends RunRecord {
  /** Of a run that has ended: who approved it, as seen from who started it; '' = no approval stood, or it cannot be read. */
  attribution: Attribution | '';
  /** When a run that waits ends by itself; 0 = never. */
  expiresAtMs: number;
}

export interface ListPorts {
  store: Pick<RunStore, 'approvalTraces' | 'configuration'>;
  report(error: unknown, where: string): void;
}

/** A whole list at once: one question about approvals, and one about each configuration that a waiting run has. */
export async function listedRuns(ports: ListPorts, runs: readonly RunRecord[]): Promise<ListedRun[]> {
  const traces = await approvalsOf(
    ports,
    runs.filter(({ status }) => isTerminal(status)),
  );
  const configurations = new Map<string, Configuration | null>();
  for (const { configurationId: id } of runs.filter(({ status }) => isWaiting(status))) {
    if (!configurations.has(id)) configurations.set(id, await ports.store.configuration(id));
  }
  return runs.map((run) => ({
    ...run,
    attribution: attributionOfRun(run.initiatorId, traces.get(run.id) ?? []),
    expiresAtMs: expiresAtMs(run, configurations.get(run.configurationId) ?? null),
  }));
}

/** A list without its marks is better than none. Source: human-decisions.md §11. */
async function approvalsOf({ store, report }: ListPorts, runs: RunRecord[]): ReturnType<RunStore['approvalTraces']> {
  if (runs.length === 0) return new Map();
  try {
    return await store.approvalTraces(runs.map(({ id }) => id));
  } catch (error) {
    report(error, 'attribution');
    return new Map();
  }
}

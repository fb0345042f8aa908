import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import type { Actor } from '../domain/actor.ts';
import { operatorIdOf } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { configured, type Configuration, type ConfigurationSettings } from '../domain/configuration.ts';
import { administratorBar } from '../domain/connect-rules.ts';
import type { RunRecord } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';
import type { StartRun } from './runtime.ts';

/** What one configuration of the sample site sets; the rest is as for any new one. */
export interface SampleConfiguration {
  identifier: string;
  settings: Pick<ConfigurationSettings, 'model' | 'databases' | 'workspaces'>;
}

/** The sample site as the composition makes it. */
export interface SampleSource {
  identifiers: readonly [string, ...string[]];
  /** Builds what is missing in the folder of its own, and says which configurations work on it. Faults: `SampleSiteError`. */
  build(): SampleConfiguration[];
  /** Whether everything a configuration works on is there. */
  isWhole(settings: ConfigurationSettings): boolean;
}

export interface SamplePorts {
  store: RunStore;
  clock: Clock;
  newId(): string;
  sample: SampleSource;
  enqueue(actor: Actor, wanted: StartRun): Promise<Result<RunRecord>>;
}

const FIRST_RUN = { label: 'Page 42: meta description', prompt: 'Check the meta description of page 42' };

/** Saves the configurations of a sample site for an administrator. Refuses: operator_unavailable, not_administrator, store_busy. */
export async function saveSample(
  { store, clock, newId }: Pick<SamplePorts, 'store' | 'clock' | 'newId'>,
  actor: Actor,
  made: SampleConfiguration[],
): Promise<Result<Configuration[]>> {
  const barred = administratorBar(await store.operator(operatorIdOf(actor)), actor);
  if (barred) return barred;
  const saved: Configuration[] = [];
  for (const { identifier, settings } of made) {
    const configuration = configured(await store.findConfiguration(identifier), identifier, settings, newId());
    const result = await store.saveConfiguration(configuration, null, clock.nowMs());
    if (!result.ok) return result;
    saved.push(configuration);
  }
  return accepted(saved);
}

/**
 * Builds the sample site where it is missing and starts the first run on it. One
 * after the other: whoever presses twice builds once. What a person changed in a
 * site that is whole stays as it is.
 * Refuses: operator_unavailable, not_administrator, invalid_request when a name or
 * the folder is taken by something else, and what starting a run refuses.
 */
export function createSampleStarter(ports: SamplePorts): (actor: Actor) => Promise<Result<RunRecord>> {
  let last: Promise<unknown> = Promise.resolve();
  return (actor) => {
    const started = last.then(() => trySample(ports, actor));
    // The next one waits for this one, however it ends; its own caller is told.
    last = started.catch(() => undefined);
    return started;
  };
}

async function trySample(ports: SamplePorts, actor: Actor): Promise<Result<RunRecord>> {
  const { store, sample } = ports;
  const barred = administratorBar(await store.operator(operatorIdOf(actor)), actor);
  if (barred) return barred;
  const stored = await Promise.all(sample.identifiers.map((identifier) => store.findConfiguration(identifier)));
  if (stored.some((configuration) => configuration && configuration.settings.model.kind !== 'scripted'))
    return refused({ kind: 'invalid_request', problems: [{ field: 'identifier', problem: 'name_taken' }] });
  const whole = stored.filter((configuration) => configuration && sample.isWhole(configuration.settings));
  const isMissing = ({ identifier }: SampleConfiguration): boolean =>
    !whole.some((configuration) => configuration?.identifier === identifier);
  if (whole.length < stored.length) {
    const made = buildOrNull(sample);
    if (!made)
      return refused({ kind: 'invalid_request', problems: [{ field: 'sampleFolder', problem: 'name_taken' }] });
    const saved = await saveSample(ports, actor, made.filter(isMissing));
    if (!saved.ok) return saved;
  }
  const [first] = sample.identifiers;
  const configuration = await store.findConfiguration(first);
  return ports.enqueue(actor, {
    ...FIRST_RUN,
    configurationId: configuration?.id ?? '',
    maxRounds: null,
    allowedToolNames: null,
  });
}

/** Null = the folder holds something that is not ours. */
function buildOrNull(sample: SampleSource): SampleConfiguration[] | null {
  try {
    return sample.build();
  } catch (error) {
    if (error instanceof Error && error.name === 'SampleSiteError') return null;
    throw error;
  }
}

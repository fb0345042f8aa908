import type { Clock } from '../domain/clock.ts';
import type { Configuration } from '../domain/configuration.ts';
import type { ModelClient } from '../domain/model-client.ts';
import type { ToolCatalogue, ToolRunner } from '../domain/tool.ts';
import type { RunStore } from '../store/run-store.ts';
import type { Breakers } from './breakers.ts';
import type { CrashPoint } from './crash-points.ts';

/** What executing a segment needs from outside. */
export interface SegmentPorts {
  store: RunStore;
  tools: ToolRunner;
  catalogue: ToolCatalogue;
  /** The model of a configuration, with its key. Faults: `ModelError` when it cannot be set up. */
  modelFor(configuration: Configuration): Promise<ModelClient>;
  breakers: Breakers;
  clock: Clock;
  /** Absolute paths no tool may touch. */
  protectedPaths: string[];
  /** Full errors for the log; nothing of them reaches the model or an event. */
  report(error: unknown, where: string): void;
  crashPoint(point: CrashPoint): void;
}

import type { ModelTestView } from '../../src-shared/views/model-test-view.ts';
import type { ModelSettings } from '../domain/configuration.ts';

/** What a host tells its worker. Messages only say "look again" or "stop"; the row is the state. */
export type ToWorker =
  /**
   * First message: who the worker is and how to open the file. The key comes this way so that it stands in no environment or
   * argument list, the crash point so that only the host decides whether there is one.
   */
  | { type: 'start'; workerId: string; databasePath: string; dataKey: string; crashPoint: string | null }
  | { type: 'wake' }
  /** Ask this model one question, with this key; answered with the same number. */
  | { type: 'probe_model'; id: number; model: ModelSettings; apiKey: string | null }
  | { type: 'stop'; graceMs: number };

export type FromWorker =
  | { type: 'ready' }
  /** A commit happened; `wakes` = a run became claimable. */
  | { type: 'changed'; wakes: boolean }
  | { type: 'model_probed'; id: number; result: ModelTestView };

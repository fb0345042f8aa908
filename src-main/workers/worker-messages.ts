/** What a host tells its worker. Messages only say "look again" or "stop"; the row is the state. */
export type ToWorker =
  /** First message: who the worker is and how to open the file. The key comes this way so that it stands in no environment or argument list. */
  | { type: 'start'; workerId: string; databasePath: string; dataKey: string }
  | { type: 'wake' }
  | { type: 'stop'; graceMs: number };

export type FromWorker =
  | { type: 'ready' }
  /** A commit happened; `wakes` = a run became claimable. */
  | { type: 'changed'; wakes: boolean };

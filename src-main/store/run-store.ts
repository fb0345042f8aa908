import type { Result } from '../../src-shared/refusals.ts';
import type { EndReason, LiveStatus, RunStatus, ToolEffect } from '../../src-shared/vocabulary.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';
import type { Actor, Operator } from '../domain/actor.ts';
import type { ApprovalTrace } from '../domain/attribution.ts';
import type { Spend } from '../domain/budget-rules.ts';
import type { ClaimInput } from '../domain/claim-rules.ts';
import type { Configuration } from '../domain/configuration.ts';
import type { ConfigureInput, Configured } from '../domain/configure-rules.ts';
import type { ConnectInput } from '../domain/connect-rules.ts';
import type { Message } from '../domain/message.ts';
import type { Pause, PauseInput } from '../domain/pause-rules.ts';
import type { Purged, PurgeInput, PurgeLimits, PurgePreview } from '../domain/retention-rules.ts';
import type {
  Decision,
  PendingTurn,
  RunEvent,
  RunRecord,
  RunRequest,
  RunResult,
  UncertainCause,
} from '../domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../domain/transitions.ts';
import type { PeopleStore } from './people-store.ts';

/** A request to move one run. Plain data: the rule is looked up by kind on the other side of the port. */
export interface TransitionRequest<K extends TransitionKind> {
  kind: K;
  input: TransitionInputs[K];
  nowMs: number;
}

/** What is told to listeners of this process after a commit. Messages only say "look again". */
export interface Committed {
  /** Empty = something else than a run, such as a configuration. */
  runIds: string[];
  wakes: boolean;
}

/** A claim that somebody else may have to take back. */
export interface RunningClaim {
  runId: string;
  workerId: string;
  ownerToken: string;
  leaseExpiresAtMs: number;
}

export interface UncertainWriteEntry {
  id: number;
  runId: string;
  callId: string;
  toolName: string;
  effect: ToolEffect;
  target: WriteTarget | null;
  cause: UncertainCause;
  noticedAtMs: number;
}

/** Which runs a list is about. */
export interface RunSelection {
  /** Only runs of this person; null = of everybody. */
  ownerId: number | null;
  limit: number;
}

/** What moved since somebody last looked at the log of changes. */
export interface ChangesSince {
  lastSeq: number;
  /** Null = more than can be named. */
  runIds: string[] | null;
  /** Something about the installation as a whole, such as a pause. */
  hasInstallation: boolean;
}

/** What was repaired, by kind, and who had it done. */
export interface RepairInput {
  actor: Actor;
  repairs: Record<string, number>;
}

/** Figures of `status`: counts and times only, no payload, no person. Times in seconds as in runtime.md §20. */
export interface Health {
  queued: number;
  running: number;
  deadLettered: number;
  expiredLeases: number;
  /** Null when nothing is queued with a known time. */
  oldestQueueWaitSeconds: number | null;
  unknownQueueWait: number;
  liveWorkers: number;
}

/** Figures for a dashboard: runs by status and by reason of their end since a time, and what is alive now, however old. */
export interface RunCounts {
  byStatus: Record<RunStatus, number>;
  /** Only reasons that occurred. */
  byEndReason: Partial<Record<EndReason, number>>;
  live: Record<LiveStatus, number>;
}

/**
 * The runs and everything the runtime may do to them. Asynchronous so that writers
 * of one process can share a commit and a second implementation on a server
 * database stays possible; every write is one transaction and resolves after COMMIT.
 * Refusals are returned; a broken disk or broken data is thrown.
 * Source: architecture.md §3 "Storage API".
 */
export interface RunStore extends PeopleStore {
  transition<K extends TransitionKind>(runId: string, request: TransitionRequest<K>): Promise<Result<RunRecord>>;
  /**
   * Two moves of one run in one transaction, so that no crash comes between them. Refused
   * with what the first is refused with, then nothing is stored; else with what the second
   * is, then the first stands. A fault of either stores neither.
   */
  transitionPair<K extends TransitionKind, L extends TransitionKind>(
    runId: string,
    first: TransitionRequest<K>,
    second: TransitionRequest<L>,
  ): Promise<Result<RunRecord>>;
  /** The next due run, now owned by the caller; null when nothing is due. Exactly one of N claimers gets a run. */
  claim(input: ClaimInput): Promise<Result<RunRecord | null>>;

  run(runId: string): Promise<RunRecord | null>;
  /** Faults of the next six: `SealBrokenError` when the part cannot be opened. */
  request(runId: string): Promise<RunRequest | null>;
  transcript(runId: string): Promise<Message[]>;
  pendingTurn(runId: string): Promise<PendingTurn | null>;
  decision(runId: string, number: number): Promise<Decision | null>;
  /** The receipt of a decision as the file it is given out as; null = none was signed. */
  receipt(runId: string, decisionNumber: number): Promise<string | null>;
  result(runId: string): Promise<RunResult | null>;
  /** In order; `limit` null = all of them. */
  events(runId: string, afterSequence: number, limit?: number | null): Promise<RunEvent[]>;
  /** What was recorded of approvals of these runs, by run, in order: given and refused, come back, taken back. */
  approvalTraces(runIds: string[]): Promise<Map<string, ApprovalTrace[]>>;
  /** Waiting runs, oldest first; at most 100 of everybody unless told. */
  waitingRuns(selection?: RunSelection): Promise<RunRecord[]>;
  /** Runs of a configuration that wait since then or longer; the longest first, at most 100. */
  waitingSince(configurationId: string, sinceMs: number): Promise<string[]>;
  /** The same of those that began to wait after one moment and until another, and were not reminded of in this pause. */
  unremindedRuns(configurationId: string, afterMs: number, untilMs: number): Promise<string[]>;
  /** Ended runs, newest first; at most 20 of everybody unless told. */
  endedRuns(selection?: RunSelection): Promise<RunRecord[]>;
  /** Running, then queued runs, each newest first; at most 100 of each and of everybody unless told. */
  activeRuns(selection?: RunSelection): Promise<RunRecord[]>;
  /** The oldest lease first; without runs of a restored copy, which nobody takes back before they are released. */
  runningClaims(): Promise<RunningClaim[]>;
  /** Of one person's runs, or of all (null, and when not told). */
  uncertainWrites(ownerId?: number | null): Promise<UncertainWriteEntry[]>;
  /** When the earliest run that may be claimed becomes due; null when there is none. */
  nextDueAtMs(): Promise<number | null>;
  /** Runs of a restored copy that nobody has released yet. */
  restoredRuns(): Promise<string[]>;
  countByStatus(ownerId?: number | null): Promise<Record<RunStatus, number>>;
  /** `transport` null counts workers of every kind. */
  health(options: { nowMs: number; workerMaxAgeMs: number; transport: string | null }): Promise<Health>;
  /** Runs created at `sinceMs` or later; what is alive is counted whatever its age. */
  runCounts(sinceMs: number): Promise<RunCounts>;

  /** What all runs of a configuration used on one day (`dayOf`). */
  spendOfDay(configurationId: string, day: number): Promise<Spend>;

  operator(operatorId: number): Promise<Operator | null>;
  configuration(id: string): Promise<Configuration | null>;
  findConfiguration(identifier: string): Promise<Configuration | null>;
  configurations(): Promise<Configuration[]>;
  /** Whether a key is stored with it; the key itself is read where the model is asked. */
  hasApiKey(configurationId: string): Promise<boolean>;
  /** Creates or replaces one. `apiKey` undefined keeps the stored key, null removes it. Refuses: store_busy. */
  saveConfiguration(
    configuration: Configuration,
    apiKey: string | null | undefined,
    nowMs: number,
  ): Promise<Result<null>>;

  /**
   * Creates or changes a configuration for a person, judged on fresh rows by
   * `connectConfiguration`. Refuses: what that rule refuses; store_busy.
   */
  connectConfiguration(input: ConnectInput, nowMs: number): Promise<Result<Configuration>>;

  /**
   * Changes a configuration, or makes one of its whole description, audited; judged on fresh rows by
   * `configureConfiguration`. Refuses: what that rule refuses; store_busy.
   */
  configureConfiguration(input: ConfigureInput, nowMs: number): Promise<Result<Configured>>;

  /** Pauses or resumes everything, audited. Refuses: operator_unavailable, not_administrator, store_busy. */
  setPause(input: PauseInput, nowMs: number): Promise<Result<Pause>>;
  pause(): Promise<Pause>;
  /** Keeps in the record that somebody repaired something. Refuses: not_administrator, store_busy. */
  recordRepair(input: RepairInput, nowMs: number): Promise<Result<null>>;
  /** Takes the next runs away that may go, in one transaction. Refuses: not_administrator, store_busy. */
  purge(input: PurgeInput, nowMs: number): Promise<Result<Purged>>;
  /** What `purge` would take away, were it asked until nothing is left. */
  previewPurge(limits: PurgeLimits, most: number | null, nowMs: number): Promise<PurgePreview>;
  /**
   * Makes every run due that waits for an endpoint to come back: that of one
   * configuration, or any (null). Returns how many. Refuses: store_busy.
   */
  endOffline(configurationId: string | null, nowMs: number): Promise<Result<number>>;

  /** Makes runs due whose times the wall clock left behind when it was set back. Returns how many. Refuses: store_busy. */
  mendDueTimes(nowMs: number): Promise<Result<number>>;

  /** Records that a worker lives, and forgets those not seen for a day; best effort of the caller. Refuses: store_busy. */
  touchWorker(worker: { id: string; pid: number; transport: string; nowMs: number }): Promise<Result<null>>;
  /** Refuses: store_busy. */
  forgetWorker(workerId: string): Promise<Result<null>>;

  /** Changes whenever another connection committed; says that, never what. */
  dataVersion(): number;
  /** What the log of changes says after a sequence; -1 = only where it ends. */
  changesAfter(seq: number): ChangesSince;
  /** Differs whenever a configuration was created, changed or removed, by whomever. */
  configurationsStamp(): string;
  /** Called after each commit of this process. Returns the way to stop. */
  onCommitted(listener: (committed: Committed) => void): () => void;
  close(): void;
}

import type { CallPreview, Footprint, Preview } from '../../src-shared/preview.ts';
import type { ToolEffect, ToolOutcome, WriteCompleteness, WriteKind } from '../../src-shared/vocabulary.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';
import type { JsonObject } from './json-value.ts';

/** One call the model asked for, exactly as stored in the pending turn and hashed by the turn digest. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
}

/**
 * What everyone but the tool's own code needs to know about it: the model (name,
 * description, parameters), the gate (effect, group, admin) and the approval rule.
 */
export interface ToolDefinition {
  /** `^[a-z][a-z0-9_]{0,63}$`, unique in a registry. */
  name: string;
  description: string;
  /** JSON Schema 2020-12 of an object; arguments are validated against it before a card is shown and before execution. */
  parameters: JsonObject;
  effect: ToolEffect;
  /** Configurations grant tools by group, e.g. `records`, `files`. */
  group: string;
  requiresAdmin: boolean;
  /** Asks for approval although it declares no write. */
  requiresApproval: boolean;
  /** Executes only with answers of a person; never together with an approval, which would carry none. */
  requiresInput: boolean;
  /** Null = its code is ours. */
  remote: RemoteOrigin | null;
}

/** Where a tool of another program comes from. */
export interface RemoteOrigin {
  server: string;
  /** What the operator declared; null = nothing was. */
  needsApproval: boolean | null;
}

/** A named SQLite file that the record tools may open. `path` is absolute. */
export interface DatabaseResource {
  name: string;
  path: string;
}

/** A named folder that the file tools may touch. `path` is absolute. */
export interface WorkspaceResource {
  name: string;
  path: string;
}

/** Where a tool works: what the run's configuration grants, and what nobody may touch. Plain data; it crosses a process border. */
export interface ToolContext {
  runId: string;
  /** The run's owner; 0 = nobody. A write runs as the owner, whoever approved it. */
  ownerId: number;
  databases: DatabaseResource[];
  workspaces: WorkspaceResource[];
  /** Absolute paths of the product's own data folder, database and key: refused by real path in every tool. */
  protectedPaths: string[];
}

/** The record, file or remote object a successful write changed. */
export interface RecordedWrite {
  target: WriteTarget;
  kind: WriteKind;
  completeness: WriteCompleteness;
}

/**
 * What a call came to. `content` goes to the model, at most 50 000 bytes after
 * bounding. `changed` means: the footprint no longer held, nothing was written.
 * A tool never puts an exception's text into `content`.
 */
export interface ToolResult {
  outcome: ToolOutcome;
  content: string;
  write: RecordedWrite | null;
  /**
   * Set when the process of a write ended before it answered: the change was made
   * completely or not at all, and only the footprint tells which. `outcome` is then
   * `failed` or `cancelled`, `write` is null. Absent = known.
   */
  isUncertain?: boolean;
  /** Set when no process gave a result: it died, ran into its deadline or could not be started. Absent = the tool itself said how it went. */
  isCutOff?: boolean;
}

/** What a call would do: the preview shown, the target it names, the footprint it depends on. */
export interface PlannedCall {
  preview: Preview;
  target: WriteTarget | null;
  footprint: Footprint | null;
}

/** What a call asks a person before it can run: a JSON Schema of an object, one property for each value. */
export interface CallQuestion {
  callId: string;
  toolName: string;
  schema: JsonObject;
}

/**
 * Simulated results of the earlier calls of the same turn, by target: a second
 * call on the same record is previewed on the result of the first. Keys and
 * values are the tools' own; a tool reads and writes only its own prefix.
 */
export type Overlay = Map<string, unknown>;

/**
 * One tool's code. Runs in a killable child process, so it may block. `A` is the
 * argument type its `parameters` schema describes; arguments arrive validated.
 * `plan` must be deterministic and write nothing; tools that only read have none.
 * `ask` makes the question of a call; tools that need no person have none. The answers
 * reach `execute` as arguments, in place of whatever the model put there.
 * `execute` of a write gets the footprint the person approved and writes only if
 * it still holds, checked inside the target's own transaction (records) or just
 * before the rename (files).
 */
export interface Tool<A = JsonObject> {
  definition: ToolDefinition;
  plan?(args: A, context: ToolContext, overlay: Overlay): PlannedCall | Promise<PlannedCall>;
  ask?(args: A): JsonObject;
  execute(args: A, context: ToolContext, expected: Footprint | null): ToolResult | Promise<ToolResult>;
}

/**
 * Runs tools somewhere safe. The only way the runtime reaches a tool's code.
 * Neither method throws for anything a tool does: a thrown error, a deadline or a
 * killed child becomes a failed preview or a failed result with our own words.
 */
export interface ToolRunner {
  /** Plans the calls of a turn in order, each on the simulated result of the ones before. Same length and order as `calls`. */
  planTurn(calls: ToolCall[], context: ToolContext, signal?: AbortSignal): Promise<CallPreview[]>;
  /** The questions of a turn's calls, in order; a call whose question could not be made is left out. */
  askTurn(calls: ToolCall[], signal?: AbortSignal): Promise<CallQuestion[]>;
  execute(call: ToolCall, context: ToolContext, expected: Footprint | null, signal?: AbortSignal): Promise<ToolResult>;
  /** Ends the child processes. */
  close(): Promise<void>;
}

/** The tools known to this installation, by name, in registry order. */
export interface ToolCatalogue {
  get(name: string): ToolDefinition | undefined;
  list(): ToolDefinition[];
}

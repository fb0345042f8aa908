import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { CallPreview, Footprint } from '../../src-shared/preview.ts';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import type { Tool, ToolContext, ToolResult } from '../../src-main/domain/tool.ts';
import { type SqliteConnection, openSqlite } from '../../src-main/system/open-sqlite.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';
import { handleToolRequest } from '../../src-main/tools/tool-host.ts';
import type { ToolReply } from '../../src-main/tools/tool-protocol.ts';

const folders: string[] = [];

/** A folder of its own below the temporary folder, by real path; removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'countersign-tools-')));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A place to work in: a database `site`, a workspace `site` and a protected data folder beside them. */
export interface Place {
  folder: string;
  databasePath: string;
  workspace: string;
  dataFolder: string;
  context: ToolContext;
}

/** Makes a place; `sql` fills the database. */
export function makePlace(sql = ''): Place {
  const folder = temporaryFolder();
  const databasePath = join(folder, 'site.db');
  const workspace = join(folder, 'workspace');
  const dataFolder = join(folder, 'product');
  mkdirSync(workspace);
  mkdirSync(dataFolder);
  withFile(databasePath, (connection) => connection.exec(sql));
  const context: ToolContext = {
    runId: 'run-1',
    ownerId: 1,
    databases: [{ name: 'site', path: databasePath }],
    workspaces: [{ name: 'site', path: workspace }],
    protectedPaths: [dataFolder, join(dataFolder, 'countersign.db'), join(dataFolder, 'data.key')],
  };
  return { folder, databasePath, workspace, dataFolder, context };
}

/** Opens a file, does the work, closes it. */
export function withFile<T>(path: string, work: (connection: SqliteConnection) => T): T {
  const connection = openSqlite(path, { busyTimeoutMs: 1_000 });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** One call, as a test writes it. */
export type TestCall = [name: string, args: JsonObject];

/** Runs requests through the code of the tool child, in this process. */
export class InProcessTools {
  readonly context: ToolContext;
  readonly faults: Extract<ToolReply, { kind: 'fault' }>[] = [];
  readonly #registry: ReturnType<typeof buildRegistry>;

  constructor(context: ToolContext, tools: readonly Tool[] = BUILTIN_TOOLS) {
    this.context = context;
    this.#registry = buildRegistry(tools);
  }

  async planTurn(...calls: TestCall[]): Promise<CallPreview[]> {
    const previews: CallPreview[] = [];
    await handleToolRequest(
      this.#registry,
      {
        kind: 'plan',
        id: 1,
        calls: calls.map(([name, args], index) => ({ id: `call-${index}`, name, arguments: args })),
        context: this.context,
      },
      (reply) => {
        if (reply.kind === 'preview') previews.push(reply.preview);
        if (reply.kind === 'fault') this.faults.push(reply);
      },
    );
    return previews;
  }

  async plan(...call: TestCall): Promise<CallPreview> {
    const [preview] = await this.planTurn(call);
    if (!preview) throw new Error('no preview');
    return preview;
  }

  /** The question of one call; null when it cannot be asked. */
  async ask(name: string, args: JsonObject): Promise<JsonObject | null> {
    const questions: JsonObject[] = [];
    await handleToolRequest(
      this.#registry,
      { kind: 'ask', id: 1, calls: [{ id: 'call-0', name, arguments: args }] },
      (reply) => {
        if (reply.kind === 'questions') questions.push(...reply.questions.map(({ schema }) => schema as JsonObject));
        if (reply.kind === 'fault') this.faults.push(reply);
      },
    );
    return questions[0] ?? null;
  }

  async execute(name: string, args: JsonObject, expected: Footprint | null = null): Promise<ToolResult> {
    const results: ToolResult[] = [];
    await handleToolRequest(
      this.#registry,
      { kind: 'execute', id: 1, call: { id: 'call-0', name, arguments: args }, context: this.context, expected },
      (reply) => {
        if (reply.kind === 'result') results.push(reply.result);
        if (reply.kind === 'fault') this.faults.push(reply);
      },
    );
    const [result] = results;
    if (!result) throw new Error('no result');
    return result;
  }

  /** Plans and executes what the plan says, as an approval would. */
  async approve(name: string, args: JsonObject): Promise<ToolResult> {
    const { footprint } = await this.plan(name, args);
    return this.execute(name, args, footprint);
  }
}

/** The sentence of a failed preview, or a text that says what was there instead. */
export function reasonOf(preview: CallPreview): string {
  return preview.preview.kind === 'failed' ? preview.preview.reason : `not failed: ${JSON.stringify(preview.preview)}`;
}

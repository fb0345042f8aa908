import type { CallPreview, Footprint } from '../../src-shared/preview.ts';
import { digest } from '../../src-main/domain/digest.ts';
import type {
  Overlay,
  PlannedCall,
  RecordedWrite,
  Tool,
  ToolCatalogue,
  ToolContext,
  ToolDefinition,
  ToolResult,
  ToolRunner,
} from '../../src-main/domain/tool.ts';
import { QUESTION_SCHEMA } from './run-builders.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';

/** A small world that tools act on, and what happened in it. */
export interface World {
  values: Map<string, string>;
  /** A field of each record that no preview shows. */
  hidden: Map<string, string>;
  made: string[];
  /** Every call that reached a tool's code, in order. */
  executed: { tool: string; args: Record<string, unknown>; ownerId: number; expected: Footprint | null }[];
  /** Every call that was planned, in order, and for whom. */
  planned: { tool: string; ownerId: number }[];
  /** Awaited inside a tool, before and after its effect: here a test stops time, cancels or breaks something. */
  beforeEffect(tool: string): void | Promise<void>;
  afterEffect(tool: string): void | Promise<void>;
  /** Replaces the result of a call, e.g. by a deadline's `cancelled`. */
  resultOf: (tool: string, result: ToolResult) => ToolResult;
  /** Set: planning `set_x` throws it. */
  planFault: Error | null;
  /** Set: `set_x` cannot be shown, though the present state is known. */
  hidesPreview: boolean;
}

export function createWorld(): World {
  return {
    values: new Map([
      ['title', 'old title'],
      ['body', 'old body'],
    ]),
    hidden: new Map(),
    made: [],
    executed: [],
    planned: [],
    beforeEffect: () => undefined,
    afterEffect: () => undefined,
    resultOf: (_, result) => result,
    planFault: null,
    hidesPreview: false,
  };
}

export const SECRET = 'https://admin:hunter2@db.internal/site';

const footprint = (value: string): string => digest('footprint/1:', value);
const done = (content: string, write: RecordedWrite | null = null): ToolResult => ({ outcome: 'ok', content, write });
const recordOf = (key: string): WriteTarget => ({
  kind: 'record',
  database: 'site',
  table: 'pages',
  key: { name: key },
});

function define(name: string, changes: Partial<ToolDefinition>, properties: Record<string, unknown>): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    parameters: {
      type: 'object',
      properties: properties as never,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    effect: 'read_only',
    group: 'records',
    requiresAdmin: false,
    requiresApproval: false,
    requiresInput: false,
    remote: null,
    ...changes,
  };
}

const TEXT = { type: 'string' };
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function setter(world: World, definition: ToolDefinition): Tool {
  type Args = { key: string; value: string };
  return {
    definition,
    plan(raw, _context, overlay: Overlay): PlannedCall {
      if (world.planFault) throw world.planFault;
      const { key, value } = raw as Args;
      const before = (overlay.get(`set:${key}`) as string | undefined) ?? world.values.get(key) ?? '';
      overlay.set(`set:${key}`, value);
      const target = recordOf(key);
      const changes = [{ field: 'value', before, after: value }];
      return {
        preview: world.hidesPreview
          ? { kind: 'failed', reason: 'It cannot be shown.' }
          : { kind: 'record', action: 'update', target, changes, notes: [] },
        target,
        footprint: { before: footprint(before), after: footprint(value) },
      };
    },
    execute(raw, _context, expected) {
      const { key, value } = raw as Args;
      if (!expected) return { outcome: 'refused', content: 'Nobody saw this change.', write: null };
      if (expected.before !== footprint(world.values.get(key) ?? '')) {
        return { outcome: 'changed', content: 'The record changed meanwhile; nothing was written.', write: null };
      }
      world.values.set(key, value);
      return done(`${key} is set`, { target: recordOf(key), kind: 'updated', completeness: 'complete' });
    },
  };
}

function toolsOf(world: World): Tool[] {
  const write = { effect: 'idempotent_write' } as const;
  return [
    {
      definition: define('read_x', {}, { key: TEXT }),
      execute: (args) => done(world.values.get(textOf(args.key)) ?? 'nothing there'),
    },
    {
      definition: define('mark_x', { requiresApproval: true }, { key: TEXT }),
      execute: (args) => done(`${textOf(args.key)} is looked at`),
    },
    setter(world, define('set_x', write, { key: TEXT, value: TEXT })),
    {
      definition: define('make_x', { effect: 'non_idempotent_write' }, { name: TEXT }),
      plan: (args) => ({
        preview: {
          kind: 'record',
          action: 'create',
          target: recordOf(textOf(args.name)),
          changes: [{ field: 'name', after: textOf(args.name) }],
          notes: [],
        },
        target: recordOf(textOf(args.name)),
        footprint: { before: footprint(`${world.made.length}`), after: footprint(`${world.made.length + 1}`) },
      }),
      execute(args) {
        world.made.push(textOf(args.name));
        return done('made', { target: recordOf(textOf(args.name)), kind: 'created', completeness: 'complete' });
      },
    },
    {
      definition: define('ask_x', { requiresInput: true }, {}),
      ask: () => QUESTION_SCHEMA,
      execute: (args) => done(`the person says ${JSON.stringify(args)}`),
    },
    {
      definition: define('boom_x', { group: 'other' }, {}),
      execute() {
        throw new Error(`cannot reach ${SECRET}`);
      },
    },
    setter(world, define('admin_x', { ...write, requiresAdmin: true }, { key: TEXT, value: TEXT })),
  ];
}

export function createCatalogue(definitions: ToolDefinition[]): ToolCatalogue {
  return { get: (name) => definitions.find((definition) => definition.name === name), list: () => definitions };
}

/** The tools of a world, run in this process with the promises of the port: nothing a tool does is thrown. */
export function createWorldTools(
  world: World,
  report: (error: unknown, where: string) => void,
): { catalogue: ToolCatalogue; tools: ToolRunner; definitions: ToolDefinition[] } {
  const tools = toolsOf(world);
  const find = (name: string): Tool | undefined => tools.find((tool) => tool.definition.name === name);
  const definitions = tools.map((tool) => tool.definition);
  return {
    definitions,
    catalogue: createCatalogue(definitions),
    tools: {
      async planTurn(calls, context) {
        const overlay: Overlay = new Map();
        const previews: CallPreview[] = [];
        for (const { id, name, arguments: args } of calls) {
          world.planned.push({ tool: name, ownerId: context.ownerId });
          previews.push({ callId: id, toolName: name, ...(await planOf(find(name), args, context, overlay, report)) });
        }
        return previews;
      },
      async askTurn(calls) {
        return calls.flatMap(({ id, name, arguments: args }) => {
          const schema = find(name)?.ask?.(args);
          return schema ? [{ callId: id, toolName: name, schema }] : [];
        });
      },
      async execute({ name, arguments: args }, context, expected) {
        world.executed.push({ tool: name, args, ownerId: context.ownerId, expected });
        await world.beforeEffect(name);
        let result: ToolResult;
        try {
          const tool = find(name);
          if (!tool) throw new Error(`no ${name}`);
          result = await tool.execute(args, context, expected);
        } catch (error) {
          report(error, `tool ${name}`);
          result = { outcome: 'failed', content: `The tool ${name} failed.`, write: null };
        }
        await world.afterEffect(name);
        return world.resultOf(name, result);
      },
      close: async () => undefined,
    },
  };
}

async function planOf(
  tool: Tool | undefined,
  args: Parameters<Tool['execute']>[0],
  context: ToolContext,
  overlay: Overlay,
  report: (error: unknown, where: string) => void,
): Promise<PlannedCall> {
  const failed = (reason: string): PlannedCall => ({
    preview: { kind: 'failed', reason },
    target: null,
    footprint: null,
  });
  try {
    return tool?.plan ? await tool.plan(args, context, overlay) : failed('This tool has no preview.');
  } catch (error) {
    report(error, `preview ${tool?.definition.name}`);
    return failed(`The preview failed (${error instanceof Error ? error.constructor.name : typeof error}).`);
  }
}

import type { Static, TObject } from 'typebox';
import type { JsonObject } from '../domain/json-value.ts';
import type { Overlay, PlannedCall, Tool, ToolContext, ToolDefinition, ToolResult } from '../domain/tool.ts';
import type { Footprint } from '../../src-shared/preview.ts';

/** A tool as written in its own file: the schema gives the type of its arguments. */
export interface ToolSource<S extends TObject> {
  name: string;
  description: string;
  parameters: S;
  effect: ToolDefinition['effect'];
  group: string;
  /** Makes the call wait for a person; throws when it cannot be asked. */
  ask?(args: Static<S>): JsonObject;
  plan?(args: Static<S>, context: ToolContext, overlay: Overlay): PlannedCall;
  execute(args: Static<S>, context: ToolContext, expected: Footprint | null): ToolResult;
}

/**
 * Makes a tool of its source. The parameter schema becomes plain JSON, so that it can
 * be digested and sent. Writes need approval by their effect; no builtin asks for it
 * otherwise, none needs an administrator.
 */
export function defineTool<S extends TObject>(source: ToolSource<S>): Tool {
  const { name, description, effect, group, ask, plan, execute } = source;
  const parameters = JSON.parse(JSON.stringify(source.parameters)) as JsonObject;
  return {
    definition: {
      name,
      description,
      parameters,
      effect,
      group,
      requiresAdmin: false,
      requiresApproval: false,
      requiresInput: ask !== undefined,
      remote: null,
    },
    ...(ask ? { ask: (args: JsonObject) => ask(args as Static<S>) } : {}),
    ...(plan
      ? {
          plan: (args: JsonObject, context: ToolContext, overlay: Overlay) => plan(args as Static<S>, context, overlay),
        }
      : {}),
    execute: (args, context, expected) => execute(args as Static<S>, context, expected),
  };
}

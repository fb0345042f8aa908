import type { Tool, ToolCatalogue, ToolDefinition } from '../domain/tool.ts';
import { needsApproval } from '../domain/turn-rules.ts';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The tools of this installation with their code; only the child process needs the code. */
export interface ToolRegistry extends ToolCatalogue {
  find(name: string): Tool | undefined;
}

/**
 * Builds the registry, in the order given. Look-ups are by own name only: a tool
 * called `constructor` is unknown, not inherited.
 * Faults: `Error` at start for a name that is used twice, a name that does not match
 * `^[a-z][a-z0-9_]{0,63}$`, a write without a plan (nobody could see it first), and a
 * tool that would need an approval and an answer for the same call.
 * Source: runtime.md cases; human-decisions.md §2.1.
 */
export function buildRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { name, effect, requiresInput } = tool.definition;
    if (!NAME.test(name)) throw new Error(`The tool name "${name}" does not match ${NAME.source}`);
    if (byName.has(name)) throw new Error(`Two tools are called "${name}"`);
    if (effect !== 'read_only' && !tool.plan) throw new Error(`The tool "${name}" writes but has no preview`);
    if (requiresInput !== (tool.ask !== undefined))
      throw new Error(`The tool "${name}" needs a question exactly when it requires input`);
    if (requiresInput && needsApproval(tool.definition))
      throw new Error(`The tool "${name}" needs an approval and input; an approval carries no input`);
    byName.set(name, tool);
  }
  return {
    find: (name) => byName.get(name),
    get: (name): ToolDefinition | undefined => byName.get(name)?.definition,
    list: () => [...byName.values()].map((tool) => tool.definition),
  };
}

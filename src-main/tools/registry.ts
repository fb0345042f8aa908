import type { Tool, ToolCatalogue, ToolDefinition } from '../domain/tool.ts';
import { needsApproval } from '../domain/approval-rule.ts';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The tools of this installation with their code; only the child process needs the code. */
export interface ToolRegistry extends ToolCatalogue {
  find(name: string): Tool | undefined;
}

/**
 * Why a tool cannot be registered beside those that are; null = it can. A tool that needs an approval and input for the same
 * call would be refused after every approval, which carries no input, and asked for again without end.
 * Source: runtime.md cases; human-decisions.md §2.1.
 */
function registrationProblem({ definition, plan, ask }: Tool, byName: ReadonlyMap<string, Tool>): string | null {
  const { name, effect, requiresInput, remote } = definition;
  if (!NAME.test(name)) return `The tool name "${name}" does not match ${NAME.source}`;
  if (byName.has(name)) return `Two tools are called "${name}"`;
  if (effect !== 'read_only' && !plan && !remote) return `The tool "${name}" writes but has no preview`;
  if (requiresInput !== (ask !== undefined))
    return `The tool "${name}" needs a question exactly when it requires input`;
  if (requiresInput && needsApproval(definition))
    return `The tool "${name}" needs an approval and input; an approval carries no input`;
  return null;
}

/**
 * Builds the registry, in the order given. Look-ups are by own name only: a tool called `constructor` is unknown, not
 * inherited.
 * Faults: at start, for a tool of ours that cannot be registered; the sentence names it.
 */
export function buildRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const problem = registrationProblem(tool, byName);
    if (problem) throw new Error(problem);
    byName.set(tool.definition.name, tool);
  }
  return registryOf(byName);
}

/**
 * The registry with tools of somebody else behind it, which come and go while the program runs. One that cannot be
 * registered costs itself only: it is left out and told of. Ours win over theirs.
 */
export function withProvided(
  registry: ToolRegistry,
  provided: readonly Tool[],
  onDropped: (problem: string) => void,
): ToolRegistry {
  const own = registry.list().flatMap(({ name }) => registry.find(name) ?? []);
  const byName = new Map(own.map((tool) => [tool.definition.name, tool]));
  for (const tool of provided) {
    const problem = registrationProblem(tool, byName);
    if (problem) onDropped(problem);
    else byName.set(tool.definition.name, tool);
  }
  return registryOf(byName);
}

const registryOf = (byName: ReadonlyMap<string, Tool>): ToolRegistry => ({
  find: (name) => byName.get(name),
  get: (name): ToolDefinition | undefined => byName.get(name)?.definition,
  list: () => [...byName.values()].map((tool) => tool.definition),
});

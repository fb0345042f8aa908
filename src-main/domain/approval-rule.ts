import type { ToolDefinition } from './tool.ts';
import { isWrite } from './turn-rules.ts';

/**
 * Whether a call of a tool waits for a person: the explicit marker; else, for a tool of another program, what the operator
 * declared of it; else a write. Unknown tools are refused later, never paused (H-001). What a remote tool says of its own
 * effect binds nothing: it is an assumption about code nobody here has seen, and would pause every remote search.
 * The one rule; it is asked when a turn is scanned, when a tool is registered and when an answer is carried out.
 * Source: human-decisions.md §2.
 */
export function needsApproval(definition: ToolDefinition | undefined): boolean {
  if (!definition) return false;
  if (definition.requiresApproval) return true;
  if (definition.remote) return definition.remote.needsApproval ?? false;
  return isWrite(definition.effect);
}

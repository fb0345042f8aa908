import type { Operator } from './actor.ts';
import type { Configuration } from './configuration.ts';
import type { ToolContext } from './tool.ts';

/** Where the calls of a run work: what its configuration grants, as its owner, and what nobody may touch. */
export const toolContextOf = ({
  runId,
  owner,
  configuration: { settings },
  protectedPaths,
}: {
  runId: string;
  owner: Operator | null;
  configuration: Configuration;
  protectedPaths: string[];
}): ToolContext => ({
  runId,
  ownerId: owner?.id ?? 0,
  databases: settings.databases,
  workspaces: settings.workspaces,
  protectedPaths,
});

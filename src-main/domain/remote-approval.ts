/** Says for a single tool of a server what the operator wants, whatever the server as a whole is set to. */
export interface ToolOverride {
  server: string;
  /** As the server calls it, not as it is called here. */
  remoteName: string;
  needsApproval: boolean;
}

/** Only the very text `0` switches approvals off; nothing, another number or a word leaves them on (H-009). */
export const readApprovalFlag = (stored: unknown): boolean => stored !== '0';

/**
 * What the operator declared of a remote tool: of the tool itself, else of its server. Overrides are kept apart from what a
 * server lists, so that listing it anew can change none of them (LIM-01). What a server says of a tool, a hint that it only
 * reads for example, is no part of this (H-010).
 */
export function declaredApproval(
  server: { name: string; storedFlag: unknown },
  remoteName: string,
  overrides: readonly ToolOverride[],
): boolean {
  const own = overrides.find((override) => override.server === server.name && override.remoteName === remoteName);
  return own?.needsApproval ?? readApprovalFlag(server.storedFlag);
}

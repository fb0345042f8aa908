import type { ToolDenial } from '../../src-shared/vocabulary.ts';
import type { Operator } from './actor.ts';
import type { Configuration } from './configuration.ts';
import type { ToolDefinition } from './tool.ts';

/**
 * Why a tool is not for this person under this configuration, or null when it is.
 * Axes in a fixed order and one answer only, so a refusal never reveals a later
 * axis (H-027). The trust-zone axis needs data classes, which no tool declares yet;
 * an undeclared class is never more permissive than today's four axes.
 * Source: runtime.md §11.3.
 */
export function toolDenial(
  definition: ToolDefinition | undefined,
  configuration: Configuration,
  operator: Operator | null,
): Exclude<ToolDenial, 'trustZone'> | null {
  if (!definition) return 'notRegistered';
  if (configuration.settings.disabledTools.includes(definition.name)) return 'toolDisabled';
  if (definition.requiresAdmin && !(operator?.isEnabled && operator.isAdmin)) return 'requiresAdmin';
  const groups = configuration.settings.toolGroups;
  if (groups !== null && !groups.includes(definition.group)) return 'configurationGroup';
  return null;
}

/**
 * The tools offered to a run, in registry order: the caller's wish narrowed by the
 * gate. null = everything granted; [] = no tools; unknown names drop out.
 */
export function offeredTools(
  registered: ToolDefinition[],
  allowedToolNames: string[] | null,
  configuration: Configuration,
  owner: Operator | null,
): ToolDefinition[] {
  return registered.filter(
    (definition) =>
      (allowedToolNames === null || allowedToolNames.includes(definition.name)) &&
      toolDenial(definition, configuration, owner) === null,
  );
}

import type { DataClass, ToolDenial, TrustZone } from '../../src-shared/vocabulary.ts';
import type { Operator } from './actor.ts';
import type { Configuration, ConfigurationSettings } from './configuration.ts';
import type { ToolDefinition } from './tool.ts';
import { ceilingOf, isObserved, isWithinZone, trustZoneOf } from './trust-zone.ts';

/**
 * Why a tool is not for this person under this configuration, or null when it is.
 * Axes in a fixed order and one answer only, so a refusal never reveals a later
 * axis (H-027). Where the zone is only observed, it refuses nothing but remote tools.
 * Source: runtime.md §11.3.
 */
export function toolDenial(
  definition: ToolDefinition | undefined,
  configuration: Configuration,
  operator: Operator | null,
): ToolDenial | null {
  if (!definition) return 'notRegistered';
  const { settings } = configuration;
  if (settings.disabledTools.includes(definition.name)) return 'toolDisabled';
  if (definition.requiresAdmin && !(operator?.isEnabled && operator.isAdmin)) return 'requiresAdmin';
  if (!isGranted(definition, settings)) return 'configurationGroup';
  return isOutOfZone(definition, settings) && !isOnlyObserved(definition, settings) ? 'trustZone' : null;
}

const isGranted = ({ name, group }: ToolDefinition, { toolGroups, toolNames }: ConfigurationSettings): boolean =>
  (toolGroups === null || toolGroups.includes(group)) && (toolNames === null || toolNames.includes(name));

const isOutOfZone = ({ group }: ToolDefinition, settings: ConfigurationSettings): boolean =>
  !isWithinZone(group, trustZoneOf(settings));

/** A remote tool is never only observed: its data leaves the machine. */
const isOnlyObserved = ({ remote }: ToolDefinition, { zoneEnforcement }: ConfigurationSettings): boolean =>
  remote === null && isObserved(zoneEnforcement);

/** A tool that a run asked for, or was registered for it, and does not get; `observed` = it gets it all the same. */
export interface GateFinding {
  tool: string;
  reason: ToolDenial;
  observed?: true;
}

/**
 * What the gate has to say about the registered tools a run asked for; nothing of those
 * that pass. The zone is named with its ceiling.
 * Source: runtime.md §11.3.
 */
export function gateFindings(
  registered: ToolDefinition[],
  allowedToolNames: string[] | null,
  configuration: Configuration,
  owner: Operator | null,
): { findings: GateFinding[]; zone: TrustZone; ceiling: DataClass } {
  const zone = trustZoneOf(configuration.settings);
  const findings = registered
    .filter(({ name }) => allowedToolNames === null || allowedToolNames.includes(name))
    .flatMap((definition): GateFinding[] => {
      const reason = toolDenial(definition, configuration, owner);
      if (reason) return [{ tool: definition.name, reason }];
      return isOutOfZone(definition, configuration.settings)
        ? [{ tool: definition.name, reason: 'trustZone', observed: true }]
        : [];
    });
  return { findings, zone, ceiling: ceilingOf(zone) };
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

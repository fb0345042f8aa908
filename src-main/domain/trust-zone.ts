import { DATA_CLASSES, type DataClass, type TrustZone } from '../../src-shared/vocabulary.ts';
import type { ConfigurationSettings, ModelSettings } from './configuration.ts';
import { hostOf, isLocalHost, isPrivateHost } from './endpoint-rules.ts';

/** The most sensitive data a model in a zone may be given. */
const CEILINGS: Record<TrustZone, DataClass> = {
  local: 'secretAdjacent',
  privateHosted: 'systemDiagnostics',
  externalEu: 'internalConfiguration',
  externalGlobal: 'editorContent',
};

/** What the tools of a group may read. A group that is not named here is as sensitive as can be. */
const CLASSES: Record<string, DataClass> = {
  questions: 'publicContent',
  files: 'sourceCode',
  records: 'internalConfiguration',
};

export const dataClassOf = (group: string): DataClass =>
  Object.hasOwn(CLASSES, group) ? (CLASSES[group] as DataClass) : 'secretAdjacent';

/** The ceiling of a zone; anything that is no zone is as far away as can be. */
export const ceilingOf = (zone: TrustZone): DataClass =>
  Object.hasOwn(CEILINGS, zone) ? CEILINGS[zone] : CEILINGS.externalGlobal;

/**
 * Where the model of a configuration runs: what an administrator said, else what its
 * address shows. A name that is not of this machine or network is outside.
 */
export function trustZoneOf({ trustZone, model }: Pick<ConfigurationSettings, 'trustZone' | 'model'>): TrustZone {
  return trustZone ?? zoneOfModel(model);
}

function zoneOfModel(model: ModelSettings): TrustZone {
  if (model.kind === 'scripted') return 'local';
  const host = hostOf(model.baseUrl);
  if (isLocalHost(host)) return 'local';
  return isPrivateHost(host) ? 'privateHosted' : 'externalGlobal';
}

/** Whether a model in `zone` may be given what the tools of a group read. */
export const isWithinZone = (group: string, zone: TrustZone): boolean =>
  DATA_CLASSES.indexOf(dataClassOf(group)) <= DATA_CLASSES.indexOf(ceilingOf(zone));

/** Whether a model in `zone` may be given all that one in `instead` may. */
export const isAsTrusted = (zone: TrustZone, instead: TrustZone): boolean =>
  DATA_CLASSES.indexOf(ceilingOf(zone)) >= DATA_CLASSES.indexOf(ceilingOf(instead));

/** Only the word `observe` observes; a typing mistake enforces. */
export const isObserved = (setting: string): boolean => setting.trim().toLowerCase() === 'observe';

/** Groups of tools on an administrator's own data that a configuration's model is too far away for. */
export function withheldGroups(
  settings: Pick<ConfigurationSettings, 'trustZone' | 'model' | 'zoneEnforcement'>,
): ('files' | 'records')[] {
  if (isObserved(settings.zoneEnforcement)) return [];
  return (['files', 'records'] as const).filter((group) => !isWithinZone(group, trustZoneOf(settings)));
}

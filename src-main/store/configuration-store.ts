import { DEFAULT_SETTINGS, type Configuration, type ConfigurationSettings } from '../domain/configuration.ts';
import { endpointOf } from '../domain/endpoint-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { isSignedRow, signRow } from './row-signature.ts';
import type { Statements } from './statements.ts';

type ConfigurationRow = {
  id: string;
  identifier: string;
  is_active: number;
  settings: string;
  mac: string;
};

export const CONFIGURATION_COLUMNS = 'id, identifier, is_active, settings, mac';

/** A key is sealed for one address: whoever edits the address in the file does not get the key sent there. */
export function keyPlace({ id, settings }: Pick<Configuration, 'id' | 'settings'>): string {
  const address = settings.model.kind === 'openai_compatible' ? settings.model.baseUrl : '';
  return `configurations.api_key_sealed/${id}/${address}`;
}

function readConfiguration(row: ConfigurationRow): Configuration {
  return {
    id: row.id,
    identifier: row.identifier,
    isActive: row.is_active === 1,
    // An older release knew fewer settings: the ones it did not know are as in a new configuration.
    settings: { ...DEFAULT_SETTINGS, ...(JSON.parse(row.settings) as ConfigurationSettings) },
  };
}

/** A configuration; null when there is none, or when somebody edited it without the key. */
export function loadConfiguration(statements: Statements, sealer: Sealer, id: string): Configuration | null {
  const row = statements.get(`select ${CONFIGURATION_COLUMNS} from configurations where id = ?`).get(id) as
    ConfigurationRow | undefined;
  return row && isSignedRow(sealer, 'configurations', row) ? readConfiguration(row) : null;
}

/** All configurations that are as they were saved, by name. */
export function listConfigurations(statements: Statements, sealer: Sealer): Configuration[] {
  const rows = statements
    .get(`select ${CONFIGURATION_COLUMNS} from configurations order by identifier`)
    .all() as ConfigurationRow[];
  return rows.filter((row) => isSignedRow(sealer, 'configurations', row)).map(readConfiguration);
}

export function findConfiguration(statements: Statements, sealer: Sealer, identifier: string): Configuration | null {
  return (
    listConfigurations(statements, sealer).find((configuration) => configuration.identifier === identifier) ?? null
  );
}

/**
 * Creates or replaces a configuration. `apiKey` undefined keeps the stored key as
 * long as the address stays, null removes it; it is sealed before it touches the file.
 */
export function saveConfiguration(
  statements: Statements,
  sealer: Sealer,
  configuration: Configuration,
  apiKey: string | null | undefined,
  nowMs: number,
): void {
  const before = loadConfiguration(statements, sealer, configuration.id);
  const isMoved = before !== null && keyPlace(before) !== keyPlace(configuration);
  const row = {
    id: configuration.id,
    identifier: configuration.identifier,
    is_active: configuration.isActive ? 1 : 0,
    settings: JSON.stringify(configuration.settings),
  };
  statements
    .get(
      `insert into configurations
         (id, identifier, is_active, settings, mac, endpoint, endpoint_limit, api_key_sealed, created_at_ms, changed_at_ms)
       values (:id, :identifier, :is_active, :settings, :mac, :endpoint, :limit, null, :now, :now)
       on conflict (id) do update set identifier = excluded.identifier, is_active = excluded.is_active,
         settings = excluded.settings, mac = excluded.mac, endpoint = excluded.endpoint,
         endpoint_limit = excluded.endpoint_limit, changed_at_ms = excluded.changed_at_ms`,
    )
    .run({
      ...row,
      mac: signRow(sealer, 'configurations', row),
      ...endpointOf(configuration.settings.model, configuration.settings.concurrency),
      now: nowMs,
    });
  if (apiKey === undefined && !isMoved) return;
  const sealed = apiKey ? sealer.seal(keyPlace(configuration), apiKey) : null;
  statements.get('update configurations set api_key_sealed = ? where id = ?').run(sealed, configuration.id);
}

/** Whether a key is stored; it is not opened. */
export function hasApiKey(statements: Statements, configurationId: string): boolean {
  const has = statements.get('select api_key_sealed is not null from configurations where id = ?').pluck();
  return has.get(configurationId) === 1;
}

/** Differs whenever a configuration was created, changed or removed: the table is small, so it says all of it. */
export function configurationsStamp(statements: Statements): string {
  return statements
    .get(`select coalesce(group_concat(mac || ':' || changed_at_ms), '') from configurations`)
    .pluck()
    .get() as string;
}

/** The model key of a configuration, opened; null when it has none. Faults: `SealBrokenError`, also when the address was edited. */
export function readApiKey(statements: Statements, sealer: Sealer, configuration: Configuration): string | null {
  const sealed = statements
    .get('select api_key_sealed from configurations where id = ?')
    .pluck()
    .get(configuration.id) as Buffer | null | undefined;
  return sealed ? (sealer.open(keyPlace(configuration), sealed) as string) : null;
}

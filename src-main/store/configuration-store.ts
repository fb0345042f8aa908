import type { Configuration, ConfigurationSettings } from '../domain/configuration.ts';
import type { Sealer } from '../system/seal.ts';
import type { Statements } from './statements.ts';

interface ConfigurationRow {
  id: string;
  identifier: string;
  is_active: number;
  settings: string;
}

const COLUMNS = 'id, identifier, is_active, settings';

/** A key is sealed for one address: whoever edits the address in the file does not get the key sent there. */
function keyPlace({ id, settings }: Pick<Configuration, 'id' | 'settings'>): string {
  const address = settings.model.kind === 'openai_compatible' ? settings.model.baseUrl : '';
  return `configurations.api_key_sealed/${id}/${address}`;
}

function readConfiguration(row: ConfigurationRow): Configuration {
  return {
    id: row.id,
    identifier: row.identifier,
    isActive: row.is_active === 1,
    settings: JSON.parse(row.settings) as ConfigurationSettings,
  };
}

export function loadConfiguration(statements: Statements, id: string): Configuration | null {
  const row = statements.get(`select ${COLUMNS} from configurations where id = ?`).get(id) as
    ConfigurationRow | undefined;
  return row ? readConfiguration(row) : null;
}

export function findConfiguration(statements: Statements, identifier: string): Configuration | null {
  const row = statements.get(`select ${COLUMNS} from configurations where identifier = ?`).get(identifier) as
    ConfigurationRow | undefined;
  return row ? readConfiguration(row) : null;
}

export function listConfigurations(statements: Statements): Configuration[] {
  const rows = statements.get(`select ${COLUMNS} from configurations order by identifier`).all() as ConfigurationRow[];
  return rows.map(readConfiguration);
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
  const before = loadConfiguration(statements, configuration.id);
  const isMoved = before !== null && keyPlace(before) !== keyPlace(configuration);
  statements
    .get(
      `insert into configurations (id, identifier, is_active, settings, api_key_sealed, created_at_ms, changed_at_ms)
       values (:id, :identifier, :is_active, :settings, null, :now, :now)
       on conflict (id) do update set identifier = excluded.identifier, is_active = excluded.is_active,
         settings = excluded.settings, changed_at_ms = excluded.changed_at_ms`,
    )
    .run({
      id: configuration.id,
      identifier: configuration.identifier,
      is_active: configuration.isActive ? 1 : 0,
      settings: JSON.stringify(configuration.settings),
      now: nowMs,
    });
  if (apiKey === undefined && !isMoved) return;
  const sealed = apiKey ? sealer.seal(keyPlace(configuration), apiKey) : null;
  statements.get('update configurations set api_key_sealed = ? where id = ?').run(sealed, configuration.id);
}

/** The model key of a configuration, opened; null when it has none. Faults: `SealBrokenError`, also when the address was edited. */
export function readApiKey(statements: Statements, sealer: Sealer, configuration: Configuration): string | null {
  const sealed = statements
    .get('select api_key_sealed from configurations where id = ?')
    .pluck()
    .get(configuration.id) as Buffer | null | undefined;
  return sealed ? (sealer.open(keyPlace(configuration), sealed) as string) : null;
}

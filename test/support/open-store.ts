/** Opens a database file as the product does when told to: `open-store.ts <path>`. */
import { openConnection } from '../../src-main/store/connection.ts';
import { schemaVersion } from '../../src-main/store/migrate.ts';
import { finish, hear, say } from './child.ts';

const [path = ''] = process.argv.slice(2);
const told = hear('go');
say('ready');
await told;
const database = openConnection(path);
const settings = Object.fromEntries(
  ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'trusted_schema', 'recursive_triggers'].map(
    (name) => [name, database.pragma(name, { simple: true })],
  ),
);
say({ version: schemaVersion(database), settings });
database.close();
finish();

/** Holds the write lock of a database file for a while: `hold-lock.ts <path> <milliseconds>`. */
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { finish, say } from './child.ts';

const [path = '', ms = '0'] = process.argv.slice(2);
const database = openSqlite(path, { busyTimeoutMs: 5_000 });
database.exec('begin immediate');
say('held');
setTimeout(() => {
  database.exec('commit');
  database.close();
  say('released');
  finish();
}, Number(ms));

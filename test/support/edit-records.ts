/**
 * Somebody else who works in the same database all the time: `edit-records.ts <path> <column> …`, one short transaction after the
 * other until the channel closes. Gives the named columns of page 1 other values, and whatever page 2 has.
 */
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { finish, hear, say } from './child.ts';

const [path = '', ...columns] = process.argv.slice(2);
const database = openSqlite(path, { busyTimeoutMs: 5_000 });
const stop = new AbortController();
void hear('stop').then(() => stop.abort());
say('ready');
let edits = 0;
// It holds the lock for moments and leaves others room: what is tried here is what lands in between, not who waits longest.
database.exec('pragma synchronous = off');
while (!stop.signal.aborted) {
  database.exec('begin immediate');
  for (const column of columns) database.exec(`update pages set ${column} = 'theirs ${edits % 3}' where id = 1`);
  database.exec(`update pages set title = 'other ${edits}', body = 'other ${edits}' where id = 2; commit`);
  edits += 1;
  await new Promise((resolve) => setTimeout(resolve, 2 + (edits % 10)));
}
database.close();
say({ edits });
finish();

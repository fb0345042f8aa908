import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { app, protocol } from 'electron';

/*
 * The smallest app that proves the runtime: privileged schemes can be registered (so the module ran before `ready`), Electron
 * gets ready, and the SQLite add-on opens a file in WAL mode with a version that is safe with several connections.
 * `whenReady` must not be awaited at top level: Electron waits for this module first, and each would wait for the other.
 */
protocol.registerSchemesAsPrivileged([{ scheme: 'smoke', privileges: { standard: true } }]);

app
  .whenReady()
  .then(() => process.stdout.write(`smoke ok ${JSON.stringify(openDatabase())}\n`, () => app.quit()))
  .catch((error) => {
    console.error(error);
    app.exit(1);
  });

function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-smoke-'));
  const nativeBinding = process.env.COUNTERSIGN_SQLITE_BINDING;
  const database = new Database(join(folder, 'smoke.db'), nativeBinding ? { nativeBinding } : {});
  try {
    database.pragma('journal_mode = wal');
    return {
      electron: process.versions.electron,
      sqlite: database.prepare('select sqlite_version()').pluck().get(),
      journalMode: database.pragma('journal_mode', { simple: true }),
    };
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

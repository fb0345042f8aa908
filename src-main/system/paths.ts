import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { nextKeyPath } from './key-file.ts';
import { rotatedPaths } from './rotating-file.ts';

/** Where one installation keeps its things. Everything stands beside the database and carries its name. */
export interface InstallationPaths {
  database: string;
  key: string;
  /** By which an installation knows its database again. */
  instance: string;
  /** Proof-of-life files of workers and their tool children. */
  workers: string;
  log: string;
  /** What no tool may touch, by real path. */
  protected: string[];
}

/**
 * The folder for people's data on this system: COUNTERSIGN_DATA, else the platform's
 * place for application data.
 */
export function dataFolder(): string {
  const chosen = process.env.COUNTERSIGN_DATA;
  if (chosen) return resolve(chosen);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Countersign');
  if (process.platform === 'win32')
    return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Countersign');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'countersign');
}

/**
 * Where Electron keeps what belongs to the windows on one database: one folder for each,
 * so that consoles on two databases are two programs that do not know each other. All of
 * them are in the data folder, also when the database stands in somebody's project.
 */
export function windowFolder(databasePath?: string): string {
  const own = installationPaths().database;
  const { database } = installationPaths(databasePath);
  if (database === own) return join(dataFolder(), 'window');
  return join(dataFolder(), `window-${createHash('sha256').update(database).digest('hex').slice(0, 16)}`);
}

/**
 * Paths of the installation whose database is `databasePath`; without one, the
 * database of the data folder. The data folder is always protected whole, also when
 * this database stands elsewhere; there only its own files are, so that a database
 * may stand in a project folder.
 */
export function installationPaths(databasePath?: string): InstallationPaths {
  const database = databasePath ? resolve(databasePath) : join(dataFolder(), 'countersign.db');
  const rotated = rotatedPaths(`${database}.log`);
  const own = [
    database,
    `${database}-wal`,
    `${database}-shm`,
    `${database}.key`,
    nextKeyPath(`${database}.key`),
    `${database}.instance`,
    `${database}.workers`,
    ...rotated.paths,
    rotated.lock,
  ];
  return {
    database,
    key: `${database}.key`,
    instance: `${database}.instance`,
    workers: `${database}.workers`,
    log: `${database}.log`,
    protected: [dataFolder(), ...own],
  };
}

/**
 * Where the console builds its sample site: beside the data folder, or beside a
 * database that stands elsewhere; never inside what no tool may touch.
 */
export function samplePath(database: string): string {
  return dirname(database) === dataFolder() ? `${dataFolder()}-sample` : `${database}-sample`;
}

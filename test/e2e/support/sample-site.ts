import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqlite } from '../../../src-main/system/open-sqlite.ts';

const MARKER = 'countersign-sample-site.txt';

/** The sample site that the console built somewhere below its own folders, seen from outside the console. */
export interface Site {
  folder: string;
  databasePath: string;
  pageField(pageId: number, field: string): unknown;
  /** Somebody else's edit. */
  changePage(pageId: number, field: string, value: string | null): void;
  file(path: string): string;
  changeFile(path: string, text: string): void;
}

/** Faults: when there is not exactly one below `folder`. */
export function findSite(folder: string): Site {
  const markers = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name === MARKER);
  const [marker] = markers;
  if (!marker || markers.length > 1) throw new Error(`There are ${markers.length} sample sites below ${folder}.`);
  const site = marker.parentPath;
  const databasePath = join(site, 'site.db');
  const column = (field: string): string => {
    if (!/^[a-z_]+$/.test(field)) throw new Error(`${field} is no column.`);
    return field;
  };
  return {
    folder: dirname(join(site, MARKER)),
    databasePath,
    pageField(pageId, field) {
      const database = openSqlite(databasePath, { readonly: true, fileMustExist: true, busyTimeoutMs: 1_000 });
      try {
        return database
          .prepare(`select ${column(field)} from pages where id = ?`)
          .pluck()
          .get(pageId);
      } finally {
        database.close();
      }
    },
    changePage(pageId, field, value) {
      const database = openSqlite(databasePath, { fileMustExist: true, busyTimeoutMs: 1_000 });
      try {
        const { changes } = database.prepare(`update pages set ${column(field)} = ? where id = ?`).run(value, pageId);
        if (changes !== 1) throw new Error(`There is no page ${pageId}.`);
      } finally {
        database.close();
      }
    },
    file: (path) => readFileSync(join(site, 'workspace', path), 'utf8'),
    changeFile: (path, text) => writeFileSync(join(site, 'workspace', path), text),
  };
}

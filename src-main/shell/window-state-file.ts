import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Report } from '../system/log.ts';
import type { WindowState } from './window-state-rules.ts';

/** Moving a window by hand changes it many times a second; the file follows when it stands still. */
const QUIET_MS = 500;

/** Remembers how the last window stood. What is remembered is a convenience: a fault is reported and never stops anything. */
export interface WindowStateFile {
  /** What was remembered, not yet judged; null when there is nothing. */
  read(): string | null;
  /** Writes once nothing has been noted for half a second; null = the window has gone, there is nothing to write. */
  note(read: () => WindowState | null): void;
  /** Writes at once, instead of whatever was to be written. */
  write(state: WindowState): void;
}

/** A file of a few bytes in the window's folder, replaced as a whole so that it is never half written. */
export function openWindowStateFile(path: string, report: Report): WindowStateFile {
  let timer: NodeJS.Timeout | undefined;
  function write(state: WindowState): void {
    clearTimeout(timer);
    try {
      writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      report(error, 'window state');
    }
  }
  return {
    read() {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report(error, 'window state');
        return null;
      }
    },
    note(read) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const state = read();
        if (state) write(state);
      }, QUIET_MS);
    },
    write,
  };
}

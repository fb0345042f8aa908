import { writeFileSync } from 'node:fs';
import { UsageError } from './command.ts';

/** Writes a file that only this account can read and that was not there before. Faults: `UsageError` when it was, or has no folder. */
export function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${path} exists and is not overwritten. Name another FILE.`);
    if (code === 'ENOENT') throw new UsageError(`There is no folder for ${path}.`);
    throw error;
  }
}

import { appendFileSync } from 'node:fs';

/** Writes what went wrong, one JSON line each, to a file that only its owner reads. */
export type Report = (error: unknown, where: string) => void;

/**
 * A log on a file. Full errors with their causes; tool arguments, prompts and keys
 * are never handed to it. A log that cannot be written goes to standard error: what
 * failed is never lost silently.
 */
export function createFileLog(path: string, nowMs: () => number): Report {
  return (error, where) => {
    const line = JSON.stringify({ at: new Date(nowMs()).toISOString(), pid: process.pid, where, ...describe(error) });
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch (failure) {
      process.stderr.write(`${line}\nThe log ${path} cannot be written: ${String(failure)}\n`);
    }
  };
}

const MAX_CAUSES = 5;

function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { error: String(error) };
  if (!(error instanceof Error)) return { ...error };
  return {
    error: error.name,
    message: error.message,
    stack: error.stack?.split('\n').slice(1, 9),
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: describe(error.cause, depth + 1) } : {}),
  };
}

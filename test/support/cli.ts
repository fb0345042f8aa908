import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SOURCES } from './world.ts';

/** What a command line came to. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as the one JSON value it must be. */
  json(): unknown;
}

/** Runs the command line from its sources, as a person's shell would, without a terminal. */
export function cli(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(SOURCES, 'cli.ts'), ...words], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, json: () => JSON.parse(stdout) as unknown }));
  });
}

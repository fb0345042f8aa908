import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Fills a cached folder in a process of its own: says `filling`, takes its time, writes `content`, says `built` or `found`. */
const program = `
  import { appendFileSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { cachedFolder } from '${pathToFileURL('scripts/lib/cache.mjs').href}';
  const [, log, pauseMs] = process.argv;
  const { built } = await cachedFolder('thing-1', async (folder) => {
    writeFileSync(join(folder, 'half'), '');
    appendFileSync(log, 'filling\\n');
    console.log('filling');
    await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)));
    writeFileSync(join(folder, 'content'), 'complete');
  });
  console.log(built ? 'built' : 'found');
`;

let home: string;
let log: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-cache-'));
  log = join(home, 'log');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe('cachedFolder', () => {
  it('is filled once when two set-ups want it at the same time', async () => {
    const first = start(300);
    await once(first.stdout, 'data');
    const said = await Promise.all([finish(first), finish(start(300))]);
    expect(said.map(lastLine)).toEqual(['built', 'found']);
    expect(readFileSync(log, 'utf8')).toBe('filling\n');
  });

  it('looks complete to nobody when its set-up was killed half-way, and the next one fills it and clears up', async () => {
    const killed = start(60_000);
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(existsSync(join(home, 'countersign/thing-1'))).toBe(false);
    expect(lastLine(await finish(start(0)))).toBe('built');
    expect(readFileSync(join(home, 'countersign/thing-1/content'), 'utf8')).toBe('complete');
    expect(readdirSync(join(home, 'countersign')).toSorted()).toEqual(['locks', 'thing-1']);
    expect(readdirSync(join(home, 'countersign/locks'))).toEqual([]);
  });
});

function start(pauseMs: number) {
  const args = ['--input-type=module', '-e', program, log, String(pauseMs)];
  const env = { ...process.env, XDG_CACHE_HOME: home };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function finish(child: ReturnType<typeof start>): Promise<string> {
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said;
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split('\n').at(-1);
}

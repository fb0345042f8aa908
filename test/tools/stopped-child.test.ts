import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { forkNode } from '../../src-main/system/node-fork.ts';
import { ProcessToolRunner } from '../../src-main/tools/process-tool-runner.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';
import { ALIVE_FILE_VARIABLE } from '../../src-main/tools/tool-protocol.ts';
import { makePlace } from '../support/tool-fixtures.ts';

const ENTRY = join(import.meta.dirname, '../../src-main/tool-child.ts');

// Windows cannot stop a process.
it.skipIf(process.platform === 'win32')(
  'T-20 ends a tool child at its deadline although the child is stopped and hears no polite signal',
  async () => {
    const place = makePlace('create table pages (id integer primary key)');
    const aliveDir = join(place.folder, 'workers');
    mkdirSync(aliveDir);
    let exits = 0;
    const runner = new ProcessToolRunner({
      aliveDir,
      workerId: 'w1',
      catalogue: buildRegistry(BUILTIN_TOOLS),
      report: () => undefined,
      readDeadlineMs: 500,
      forkChild(aliveFile) {
        const child = forkNode<unknown, unknown>(ENTRY, { [ALIVE_FILE_VARIABLE]: aliveFile });
        child.onExit(() => (exits += 1));
        const send = (message: unknown): void => {
          process.kill(Number(child.pid), 'SIGSTOP');
          child.send(message);
        };
        return { ...child, send };
      },
    });
    const call = { id: 'c1', name: 'query_records', arguments: { database: 'site', sql: 'select 1' } };
    const result = await runner.execute(call, place.context, null);
    expect(result).toMatchObject({ outcome: 'failed', content: expect.stringContaining('was stopped') });
    expect(exits).toBe(1);
    await runner.close();
  },
);

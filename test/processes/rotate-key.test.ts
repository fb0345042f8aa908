import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConsole, verifyInstallation, type Console } from '../../src-main/compose.ts';
import { readApiKey } from '../../src-main/store/configuration-store.ts';
import { ROTATION_POINTS, type RotationPoint } from '../../src-main/store/rotate-key.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { SETTINGS } from '../support/store.ts';

const RUNS = 150;

/** Where the process dies, and whether the new key is right after that. */
const DEATHS: [RotationPoint, number, boolean][] = [
  ['key_kept', 1, false],
  ['page', 1, false],
  ['page', 2, false],
  ['page', 3, false],
  ['signed', 1, false],
  ['committed', 1, true],
  ['switched', 1, true],
];

/** Tables, indexes and triggers, whichever order they were made in. */
const schemaOf = ({ installation }: Console): unknown[] =>
  installation.statements.get('select type, name, sql from sqlite_schema order by type, name').all();

describe('a change of the key by a process that is killed', () => {
  let folder: string;
  let oldKey: Buffer;
  let schema: unknown[];
  const runIds: string[] = [];
  const databaseIn = (name: string): string => join(folder, name, 'countersign.db');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-rotate-'));
    const opened = openConsole(databaseIn('whole'));
    oldKey = opened.installation.dataKey;
    const model = { kind: 'openai_compatible' as const, baseUrl: 'http://127.0.0.1:9/v1', modelId: 'tiny' };
    const configuration = { id: 'c1', identifier: 'local', isActive: true, settings: { ...SETTINGS, model } };
    await opened.installation.store.saveConfiguration(configuration, 'the model key', 1);
    for (let number = 0; number < RUNS; number += 1) {
      const wanted = {
        configurationId: 'c1',
        label: 'x',
        prompt: `ask ${number}`,
        maxRounds: null,
        allowedToolNames: null,
      };
      const queued = await opened.runtime.enqueue(opened.actor, wanted);
      if (queued.ok) runIds.push(queued.value.id);
    }
    schema = schemaOf(opened);
    opened.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** How the process ended. */
  async function change(name: string, point: string, time: number): Promise<string | number> {
    const script = join(import.meta.dirname, '..', 'support', 'rotate-key.ts');
    const child = spawn(process.execPath, [script, databaseIn(name), point, String(time)], { stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number, string];
    return signal ?? code;
  }

  /** Opens as a person would and reads everything; returns the key that fits. */
  async function keyThatOpens(name: string): Promise<Buffer> {
    const opened = openConsole(databaseIn(name));
    try {
      const { store, statements, sealer, dataKey } = opened.installation;
      expect(verifyInstallation(opened).problems).toEqual([]);
      const requests = await Promise.all(runIds.map(async (id) => (await store.request(id))?.messages.at(-1)?.content));
      expect(requests).toEqual(runIds.map((_, number) => `ask ${number}`));
      const configuration = await store.configuration('c1');
      expect(configuration && readApiKey(statements, sealer, configuration)).toBe('the model key');
      expect(schemaOf(opened)).toEqual(schema);
      // It can be worked with: the signed end of the record is that of this key.
      expect((await opened.runtime.cancel(opened.actor, runIds[0] ?? '')).ok).toBe(true);
      return dataKey;
    } finally {
      opened.close();
    }
  }

  it('is tried at every point there is', () => {
    expect([...new Set(DEATHS.map(([point]) => point))]).toEqual([...ROTATION_POINTS]);
  });

  it.each(DEATHS)('opens with exactly one key after a kill at %s, time %i (new: %s)', async (point, time, isNew) => {
    const name = `${point}-${time}`;
    cpSync(join(folder, 'whole'), join(folder, name), { recursive: true });
    expect(await change(name, point, time)).toBe('SIGKILL');
    const key = await keyThatOpens(name);
    expect(key.equals(oldKey)).toBe(!isNew);
    const kept = JSON.parse(readFileSync(`${databaseIn(name)}.key`, 'utf8')) as { key: string };
    expect(kept.key).toBe(key.toString('base64'));
    // An unused key beside it is taken away by the next change, which works.
    expect(existsSync(`${databaseIn(name)}.key.next`)).toBe(!isNew);
    expect(await change(name, 'none', 1)).toBe(0);
    expect(existsSync(`${databaseIn(name)}.key.next`)).toBe(false);
    const check = createSealer(key).keyCheck();
    expect(readFileSync(databaseIn(name), 'latin1')).not.toContain(check);
  });
});

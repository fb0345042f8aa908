import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electronLaunch } from '../../scripts/lib/electron-launch.mjs';
import { expect, test } from './support/console.ts';
import { approve, expectStatus, trySample } from './support/person.ts';
import { runtime } from './support/runtime.ts';
import { findSite } from './support/sample-site.ts';
import { startSandboxed, type SandboxedWindow } from './support/sandboxed-electron.ts';

/* Root has no sandbox, so every other spec that runs as root proves the product without one. This one has it. */

/** Why this machine cannot show it; '' = it can. */
function obstacle(): string {
  if (process.platform !== 'linux') return `/proc does not exist on ${process.platform}`;
  if (process.getuid?.() === 0) return '';
  const { electron } = runtime();
  const { note } = electronLaunch({ executable: electron.executable, sqliteBinding: electron.sqliteBinding });
  return note ?? '';
}

test.describe('the window of a person who is not root', { tag: '@window-only' }, () => {
  let window: SandboxedWindow;
  let folder: string;

  test.beforeEach(async () => {
    const reason = obstacle();
    if (reason) process.stdout.write(`skipped, the sandbox is not shown here: ${reason}\n`);
    test.skip(reason !== '', reason);
    folder = mkdtempSync(join(tmpdir(), 'countersign-sandbox-'));
    window = await startSandboxed(folder);
  });
  test.afterEach(async () => {
    if (!folder) return;
    await window?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('carries out the whole job inside a sandbox with a seccomp filter', async ({ guard }) => {
    await guard.watch(window.page.context(), (url) => url.protocol === 'countersign-app:');
    const statuses = window.rendererStatus();
    expect(statuses.length).toBeGreaterThan(0);
    for (const status of statuses) {
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(new RegExp(String.raw`^Uid:\t${window.userId}\t${window.userId}\t`, 'm'));
    }
    await trySample(window.page);
    const before = findSite(window.home).pageField(42, 'meta_description');
    await approve(window.page);
    await expectStatus(window.page, 'Completed');
    const after = findSite(window.home).pageField(42, 'meta_description');
    expect(after).toMatch(/^Opening hours: /);
    expect(after).not.toBe(before);
  });
});

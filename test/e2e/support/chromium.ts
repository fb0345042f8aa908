import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser } from '@playwright/test';
import { familyOf, isAlive, killAll, signal } from './process-family.ts';
import { bundle, ROOT } from './runtime.ts';
import type { StartOptions, Surface } from './surface.ts';

/** Starts the headless host and opens its printed address in a context of its own. */
export async function startInChromium(browser: Browser, options: StartOptions): Promise<Surface> {
  const host = await startHeadless(options);
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1200, height: 800 } });
  const { origin } = new URL(host.address);
  await options.guard.watch(context, (url) => url.origin === origin);
  const page = await context.newPage();
  await page.goto(host.address);

  const close = async (): Promise<void> => {
    await context.close();
  };
  return {
    page,
    hostPid: host.pid,
    nextPage: () => context.waitForEvent('page'),
    async resize(target, { width, height, zoom }) {
      // A page zoomed to 200 % has half as many CSS pixels in the same window.
      await target.setViewportSize({ width: width / zoom, height: height / zoom });
    },
    picture: (target) => target.screenshot({ animations: 'disabled' }),
    async stop() {
      await close();
      await host.stop();
    },
    async kill() {
      await killAll(familyOf(host.pid));
      await close();
    },
  };
}

/** A headless host of the built tree. `address` holds its one-time code. */
export async function startHeadless(
  options: Pick<StartOptions, 'environment' | 'log'>,
): Promise<{ address: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [bundle('headless')], {
    cwd: ROOT,
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.on('data', (chunk: Buffer) => options.log(chunk.toString()));
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      options.log(chunk.toString());
      said += chunk.toString();
      const found = /^ready\s+(http\S+)/m.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then(([code]) => reject(new Error(`The headless host ended with ${code} before it was ready.`)));
  });
  const pid = child.pid ?? -1;
  return {
    address,
    pid,
    async stop() {
      const family = familyOf(pid);
      signal(pid, 'SIGTERM');
      await ended;
      const left = family.filter(isAlive);
      if (left.length === 0) return;
      await killAll(left);
      throw new Error(`The host ended and left processes behind: ${left.join(', ')}`);
    },
  };
}

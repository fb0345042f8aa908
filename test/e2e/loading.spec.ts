import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { expect, test, type ConsoleUnderTest } from './support/console.ts';
import { approve, approveButton, card, denyButton, expectStatus, goTo, trySample } from './support/person.ts';
import { killAll } from './support/process-family.ts';

/* What a person sees when something is missing: the host, the session, a worker, a run, a screen. */

/** Process ids of the workers as they signed on in the database. */
function workerPids(app: ConsoleUnderTest): number[] {
  const database = openSqlite(app.databasePath, { readonly: true, busyTimeoutMs: 1_000 });
  try {
    return database.prepare('select pid from workers').pluck().all() as number[];
  } finally {
    database.close();
  }
}

test.describe('when something is missing', () => {
  // The window ends together with its host, so there it cannot be seen.
  test(
    'a host that is gone is said, and nothing can be decided meanwhile',
    { tag: '@browser-only' },
    async ({ app }) => {
      const { page } = app;
      await trySample(page);
      app.guard.allow(/ERR_CONNECTION|WebSocket|Failed to load resource/, 'the host is killed in this test');
      await killAll([app.hostPid]);
      await expect(page.getByRole('alert').filter({ hasText: 'No connection to the host' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(card(page)).toBeVisible();
      await expect(approveButton(page)).toBeDisabled();
      await expect(denyButton(page)).toBeDisabled();
    },
  );

  test('T-03 a reload keeps the session and the card', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    for (let times = 0; times < 3; times += 1) {
      await page.reload();
      await expect(card(page)).toBeVisible();
    }
    await approve(page);
    await expectStatus(page, 'Completed');
  });

  test('an address that was used says what to do', { tag: '@browser-only' }, async ({ app, browser }) => {
    const address = /ready\s+(http\S+)/.exec(app.hostLog())?.[1] ?? '';
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(address);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expect(page.getByRole('alert').first()).toContainText(/new|again/);
    // The page asks for a new address; put into the same tab it signs in, and leaves the address bar.
    const fresh = await app.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          window.open = (url) => {
            resolve(String(url));
            return null;
          };
          for (const button of document.querySelectorAll('button'))
            if (button.textContent === 'New window') button.click();
        }),
    );
    await page.goto(fresh);
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Countersign' })).toBeVisible();
    expect(page.url()).not.toContain('code');
    await context.close();
  });

  test('a worker that was killed is said, replaced, and the work goes on', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await expect(status).toContainText('Workers 2 of 2');
    const before = workerPids(app);
    await killAll(before.slice(0, 1));
    await expect(status).toContainText('A worker ended and was replaced', { timeout: 15_000 });
    await expect(status).toContainText('Workers 2 of 2', { timeout: 15_000 });
    // The row of the new worker is its heartbeat, which comes a moment after it is ready.
    await expect.poll(() => workerPids(app)).not.toEqual(before);
    await approve(page);
    await expectStatus(page, 'Completed');
  });

  test('a run and a screen that do not exist are said, with a way on', async ({ app }) => {
    const { page } = app;
    await goTo(page, '#/runs/no-such-run');
    await expect(page.getByRole('heading', { name: /no such run/i })).toBeVisible();
    await goTo(page, '#/no/such/screen');
    await expect(page.getByRole('heading', { level: 1, name: /no such screen/i })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the inbox' }).click();
    await expect(page).toHaveURL(/#\/$/);
  });
});

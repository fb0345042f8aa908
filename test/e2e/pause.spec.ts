import { expect, test } from './support/console.ts';
import { approve, card, expectStatus, run, trySample } from './support/person.ts';
import { statusOf } from './support/recorded.ts';
import { proveScreen } from './support/screens.ts';

test.describe.configure({ timeout: 120_000 });

test.describe('a pause', () => {
  test('keeps an approved write from starting, says so on every screen, and ends where a person says so', async ({
    app,
  }) => {
    const { page } = app;
    const runId = await trySample(page);
    await page.getByRole('button', { name: 'Pause all' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Everything is paused by' });
    await expect(notice).toBeVisible();
    await expect(card(page)).toBeVisible();
    await proveScreen(app, 'card-paused');
    await approve(page);
    await expect(run(page)).toBeVisible();
    // Longer than the window in which it could be taken back.
    await page.waitForTimeout(4_000);
    expect(await statusOf(app, runId)).toBe('queued');
    expect(app.site().pageField(42, 'meta_description')).not.toMatch(/^Opening hours: /);
    const told = await app.cli('inbox');
    expect(told.stdout).toContain('Everything is paused by');
    await expect(run(page).getByText('Held: everything is paused.')).toBeVisible();
    await proveScreen(app, 'run-paused');
    await notice.getByRole('button', { name: 'Resume' }).click();
    await expect(notice).toBeHidden();
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, 'meta_description')).toMatch(/^Opening hours: /);
  });

  test('made at the command line shows in the window within a second', async ({ app }) => {
    const { page } = app;
    await expect(page.getByRole('button', { name: 'Pause all' })).toBeEnabled();
    expect((await app.cli('pause')).code).toBe(0);
    await expect(page.getByText(/Everything is paused by/)).toBeVisible({ timeout: 2_000 });
    expect((await app.cli('resume')).code).toBe(0);
    await expect(page.getByText(/Everything is paused by/)).toBeHidden({ timeout: 2_000 });
  });
});

import { expect, test } from './support/console.ts';
import { approve, card, deny, expectStatus, goTo, run, startRun, timeline, trySample } from './support/person.ts';
import { cardOf, eventsOf, kindsOf, statusOf } from './support/recorded.ts';

/* The whole job, from the first screen to the changed row, and every way it can go otherwise. */

const FIELD = 'meta_description';
const OLD = 'Page about our hours, click here for more information';
const NEW = /^Opening hours: /;
/** An approval can be taken back for three seconds; then it is carried out. */
const CARRIED_OUT = { timeout: 15_000 };

test.describe('the job', () => {
  test('H-100 proposes, shows, writes after an approval and records it', async ({ app }) => {
    const { page } = app;
    const runId = await trySample(page);
    expect(app.site().pageField(42, FIELD)).toBe(OLD);
    const changes = card(page).getByRole('table', { name: 'Fields that would change' });
    await expect(changes.getByRole('row').filter({ hasText: FIELD })).toContainText(OLD);
    await expect(changes.getByRole('row').filter({ hasText: FIELD })).toContainText('Opening hours: ');
    await approve(page);
    await expect(page.getByText(/^Approved\. It is carried out in/)).toBeVisible();
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, FIELD)).toMatch(NEW);
    const events = await eventsOf(app, runId);
    expect(events.filter(({ kind }) => kind === 'tool_write').map(({ details }) => details.target)).toEqual([
      'site/pages#42',
    ]);
    const order = ['approval', 'tool_write'].map((wanted) => events.findIndex(({ kind }) => kind === wanted));
    expect(order[0]).toBeGreaterThan(-1);
    expect(order[1]).toBeGreaterThan(order[0] ?? 0);
    expect(await statusOf(app, runId)).toBe('completed');
    await expect(timeline(page).getByText(/^Wrote .*pages#42/)).toBeVisible();
    await expect(run(page).getByText(/Done: page 42 has the new meta description/)).toBeVisible();
  });

  test('edits a file after an approval', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    const before = app.site().file('robots.txt');
    expect(before).not.toContain('Disallow: /search/');
    const runId = await startRun(page, {
      configuration: 'sample-files',
      request: 'Keep crawlers out of /search/',
      label: 'Robots',
    });
    await expect(card(page)).toBeVisible(CARRIED_OUT);
    await expect(card(page)).toContainText('robots.txt');
    await expect(card(page)).toContainText('Disallow: /search/');
    await approve(page);
    await expectStatus(page, 'Completed');
    expect(app.site().file('robots.txt')).toContain('Disallow: /search/');
    const writes = (await eventsOf(app, runId)).filter(({ kind }) => kind === 'tool_write');
    expect(JSON.stringify(writes.map(({ details }) => details.target))).toContain('robots.txt');
  });

  test('changes nothing after a denial and tells the model', async ({ app }) => {
    const { page } = app;
    const runId = await trySample(page);
    await deny(page);
    await expectStatus(page, 'Completed');
    await expect(
      run(page).getByText(/Understood: the change was not approved, so page 42 stays as it is/),
    ).toBeVisible();
    expect(app.site().pageField(42, FIELD)).toBe(OLD);
    const kinds = await kindsOf(app, runId);
    expect(kinds).toContain('approval');
    expect(kinds).not.toContain('tool_write');
  });

  test('takes an approval back within its window, and the run waits as before', async ({ app }) => {
    const { page } = app;
    const runId = await trySample(page);
    const before = await cardOf(app, runId);
    await approve(page);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await expect(card(page)).toBeVisible();
    // Longer than the window: nothing may be carried out after it either.
    await page.waitForTimeout(4_000);
    expect(app.site().pageField(42, FIELD)).toBe(OLD);
    expect(await cardOf(app, runId)).toMatchObject({ turnDigest: before.turnDigest });
    const kinds = await kindsOf(app, runId);
    expect(kinds).toContain('approval_withdrawn');
    expect(kinds).not.toContain('tool_write');
    await approve(page);
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, FIELD)).toMatch(NEW);
  });

  test('writes nothing where the record changed behind the card, and says how it stands now', async ({ app }) => {
    const { page } = app;
    const runId = await trySample(page);
    app.site().changePage(42, FIELD, 'Somebody else was here');
    await approve(page);
    await expect(card(page).getByText(/The target changed after an approval\. Nothing was written/)).toBeVisible(
      CARRIED_OUT,
    );
    await expect(card(page).getByRole('table', { name: 'Fields that would change' })).toContainText(
      'Somebody else was here',
    );
    expect(app.site().pageField(42, FIELD)).toBe('Somebody else was here');
    expect(await kindsOf(app, runId)).toContain('approval_bounced');
    await approve(page);
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, FIELD)).toMatch(NEW);
  });

  test('X-1 shows the same card after the console was killed and opened again', async ({ app }) => {
    const runId = await trySample(app.page);
    const before = await cardOf(app, runId);
    await app.kill();
    const page = await app.reopen();
    await page.getByRole('main').waitFor();
    await expect(page.getByRole('link', { name: 'Inbox 1 waiting' })).toBeVisible();
    await goTo(page, `#/runs/${runId}`);
    await expect(card(page)).toBeVisible();
    expect(await cardOf(app, runId)).toEqual(before);
    await approve(page);
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, FIELD)).toMatch(NEW);
  });

  test('X-1 shows the same card after it was ended and opened again', async ({ app }) => {
    const runId = await trySample(app.page);
    const before = await cardOf(app, runId);
    const page = await app.restartGracefully();
    await page.getByRole('main').waitFor();
    await goTo(page, `#/runs/${runId}`);
    await expect(card(page)).toBeVisible();
    expect(await cardOf(app, runId)).toEqual(before);
  });
});

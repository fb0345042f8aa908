import type { Page } from '@playwright/test';
import { expect, test } from './support/console.ts';
import { approve, approveButton, card, deny, expectStatus, goTo, run, trySample } from './support/person.ts';
import { cardOf, kindsOf } from './support/recorded.ts';

/* Several windows on one console: what one decides, the others show, and nothing is decided twice. */

/** How long another window may show what is not so any more. */
const NEWS = { timeout: 1_000 };

/** Another window at the same card. */
async function atSameCard(open: () => Promise<Page>, runId: string): Promise<Page> {
  const page = await open();
  await goTo(page, `#/runs/${runId}`);
  await expect(card(page)).toBeVisible();
  return page;
}

test.describe('two windows on one card', () => {
  test('T-16 show a decision of the other within a second and leave nothing to decide', async ({ app }) => {
    const runId = await trySample(app.page);
    const other = await atSameCard(() => app.openWindow(), runId);
    await approve(app.page);
    await expect(app.page.getByText(/^Approved\. It is carried out in/)).toBeVisible();
    await expect(card(other)).toBeHidden(NEWS);
    await expect(approveButton(other)).toBeHidden();
    await expect(run(other)).toBeVisible();
    await expectStatus(other, 'Completed');
    expect((await kindsOf(app, runId)).filter((kind) => kind === 'approval')).toHaveLength(1);
  });

  test('decide once when both press at the same moment', async ({ app }) => {
    const runId = await trySample(app.page);
    const other = await atSameCard(() => app.openWindow(), runId);
    const outcomes = await Promise.allSettled([approve(app.page), deny(other)]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const page of [app.page, other]) await expectStatus(page, 'Completed');
    expect((await kindsOf(app, runId)).filter((kind) => kind === 'approval')).toHaveLength(1);
  });

  test('show a decision that was made on the command line', async ({ app }) => {
    const runId = await trySample(app.page);
    const { turnDigest, previewRevision } = await cardOf(app, runId);
    const words = ['--digest', turnDigest, '--revision', String(previewRevision)];
    const answer = await app.cli('deny', runId, ...words);
    expect(answer.code).toBe(0);
    // The console hears of another process at its next look at the file, once a second.
    await expect(card(app.page)).toBeHidden({ timeout: 2_500 });
    await expectStatus(app.page, 'Completed');
  });
});

test.describe('six windows', () => {
  test('all answer, and each shows a decision made in one', async ({ app }) => {
    test.slow();
    const runId = await trySample(app.page);
    const windows = [app.page];
    while (windows.length < 6) windows.push(await atSameCard(() => app.openWindow(), runId));
    for (const page of windows) {
      await page.getByRole('link', { name: 'Models' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
      await goTo(page, `#/runs/${runId}`);
      await expect(card(page)).toBeVisible();
    }
    const last = windows.at(-1) ?? app.page;
    await deny(last);
    await Promise.all(windows.map((page) => expect(card(page)).toBeHidden({ timeout: 2_500 })));
    for (const page of windows) await expectStatus(page, 'Completed');
  });
});

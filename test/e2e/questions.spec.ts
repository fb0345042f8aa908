import { expect, test } from './support/console.ts';
import { approve, approveButton, card, expectStatus, goTo, startRun, trySample } from './support/person.ts';
import { eventsOf, kindsOf, statusOf } from './support/recorded.ts';

/* A run asks, a person answers, and what they answered is what is proposed. */

const ASKED = { timeout: 15_000 };

test.describe('a question', () => {
  test('T-12, T-105 and H-242 is asked with nothing filled in, keeps what was typed over a reload, and takes only what fits', async ({
    app,
  }) => {
    const { page } = app;
    await trySample(page);
    const runId = await startRun(page, { configuration: 'sample-questions', request: 'Rename page 42' });
    const form = card(page);
    const title = form.getByRole('textbox', { name: 'New title' });
    await expect(form.getByText('What should page 42 be called?')).toBeVisible(ASKED);
    await expect(title).toHaveValue('');
    await expect(form.getByRole('radio', { checked: true })).toHaveCount(0);
    await title.fill('When we are open, and when not');
    await form.getByRole('button', { name: 'Answer' }).click();
    await expect(form.getByRole('alert')).toContainText('None was used');
    await expect(form.getByText('This is needed.')).toBeVisible();
    await expect(form.getByRole('radio').first()).toBeFocused();
    expect(await statusOf(app, runId)).toBe('waiting_for_input');
    await page.reload();
    await expect(title).toHaveValue('When we are open, and when not');
    // A letter that decides on a card is a letter here.
    await title.press('End');
    await title.press('a');
    await title.press('d');
    await form.getByRole('radio', { name: 'As it is' }).check();
    await title.press('Control+Enter');
    await expect(approveButton(page)).toBeVisible(ASKED);
    await expect(card(page)).toContainText('When we are open, and when notad');
    await approve(page);
    await expectStatus(page, 'Completed');
    expect(app.site().pageField(42, 'title')).toBe('When we are open, and when notad');
    const kinds = await kindsOf(app, runId);
    expect(kinds.filter((kind) => kind === 'input' || kind === 'approval')).toEqual(['input', 'approval']);
    const answered = (await eventsOf(app, runId)).find(({ kind }) => kind === 'input');
    expect(JSON.stringify(answered?.details)).not.toContain('open');
  });

  test('cannot be approved or denied, and its run can be cancelled', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    const runId = await startRun(page, { configuration: 'sample-questions', request: 'Rename page 42' });
    await expect(card(page).getByRole('button', { name: 'Answer' })).toBeVisible(ASKED);
    await card(page).focus();
    await page.keyboard.press('a');
    await page.keyboard.press('d');
    await page.waitForTimeout(600);
    expect(await statusOf(app, runId)).toBe('waiting_for_input');
    await card(page).getByRole('button', { name: 'Cancel the run' }).click();
    await card(page).getByRole('button', { name: 'Yes, cancel it' }).click();
    await expectStatus(page, 'Cancelled');
    expect(await kindsOf(app, runId)).not.toContain('input');
  });

  test('T-38 answered elsewhere leaves this window without a form', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    const runId = await startRun(page, { configuration: 'sample-questions', request: 'Rename page 42' });
    await expect(card(page).getByRole('button', { name: 'Answer' })).toBeVisible(ASKED);
    const { card: shown } = await app.cliJson<{ card: { turnDigest: string; previewRevision: number } }>('show', runId);
    const binding = ['--digest', shown.turnDigest, '--revision', String(shown.previewRevision)];
    const answered = await app.cli('answer', runId, '--set', 'title=Other', '--set', 'menu=As it is', ...binding);
    expect(answered.code).toBe(0);
    await expect(approveButton(page)).toBeVisible(ASKED);
    await goTo(page, '#/');
  });
});

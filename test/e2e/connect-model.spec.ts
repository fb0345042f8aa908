import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type ConsoleUnderTest } from './support/console.ts';
import { startModelServer, type ModelTurn } from './support/model-server.ts';
import { approve, card, expectStatus, goTo, startRun, trySample } from './support/person.ts';

/* Connecting a model with a key, testing it, and working with it; the key is seen by nobody but the server it is for. */

const KEY = 'sk-test-3f9c1d7e5b2a4860-never-shown';
const WRONG_KEY = 'sk-test-wrong-0000000000000000';

/** Proposes a title for page 7, then says what became of it. */
function propose(question: { tools?: { function: { name: string } }[] }, round: number): ModelTurn {
  const offered = question.tools?.map((tool) => tool.function.name) ?? [];
  if (offered.includes('update_record')) {
    const change = { database: 'site', table: 'pages', key: { id: 7 }, values: { title: 'A title from a model' } };
    return round === 0
      ? { text: 'I propose this.', calls: [{ name: 'update_record', arguments: change }] }
      : { text: 'Thanks.' };
  }
  // The console's own question whether it can call a tool at all.
  return { calls: [{ name: offered[0] ?? 'none', arguments: {} }] };
}

/** Every file below the data folder that holds this text in clear. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

async function fillIn(app: ConsoleUnderTest, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await app.page.getByLabel(label, { exact: true }).fill(value);
}

test.describe('connecting a model', () => {
  test('tests it truly, keeps its key to itself and works with it', async ({ app }) => {
    test.slow();
    const { page } = app;
    const model = await startModelServer(propose, KEY);
    try {
      await trySample(page);
      const site = app.site();
      await page.getByRole('link', { name: 'Models' }).click();
      await page
        .getByRole('link', { name: 'Connect a model' })
        .or(page.getByRole('button', { name: 'Connect a model' }))
        .click();
      await fillIn(app, { Name: 'local', 'Base URL': model.baseUrl, Model: 'any-model', 'API key': WRONG_KEY });
      const outcome = page.getByRole('status');
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await expect(outcome.filter({ hasText: /key|401/i })).toBeVisible({ timeout: 20_000 });
      await fillIn(app, { 'API key': KEY });
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await expect(outcome.filter({ hasText: /answered in .*can call tools/ })).toBeVisible({ timeout: 20_000 });
      await page.getByRole('button', { name: 'Add a database' }).click();
      await fillIn(app, { 'Database 1: name': 'site', 'Database 1: file': site.databasePath });
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(page.getByText('Key stored')).toBeVisible();

      await startRun(page, { configuration: 'local', request: 'Give page 7 a better title', label: 'Page 7' });
      await expect(card(page)).toBeVisible({ timeout: 20_000 });
      await expect(card(page)).toContainText('A title from a model');
      await approve(page);
      await expectStatus(page, 'Completed');
      expect(site.pageField(7, 'title')).toBe('A title from a model');

      await goTo(page, '#/models');
      await page
        .getByRole('button', { name: /^Change/ })
        .or(page.getByRole('link', { name: /^Change/ }))
        .first()
        .click();
      await expect(page.getByLabel('API key', { exact: true })).toHaveValue('');
      expect(await page.content()).not.toContain(KEY);
      expect(filesWith(app.folder, KEY)).toEqual([]);
      expect(app.hostLog()).not.toContain(KEY);
      expect(model.requests.some(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
    } finally {
      await model.close();
    }
  });

  test('says so when nothing answers at its address', async ({ app }) => {
    const { page } = app;
    const model = await startModelServer(propose);
    const address = model.baseUrl;
    await model.close();
    await goTo(page, '#/models/new');
    await fillIn(app, { Name: 'nobody', 'Base URL': address, Model: 'any-model' });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByRole('status').filter({ hasText: /reach|refused|connect/i })).toBeVisible({
      timeout: 20_000,
    });
  });

  test('says at each field what is wrong with it and keeps what was typed', async ({ app }) => {
    const { page } = app;
    await goTo(page, '#/models/new');
    await fillIn(app, { Name: 'Not A Name', 'Base URL': 'ftp://example.org', Model: '' });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByText('Start with a small letter', { exact: false })).toBeVisible();
    await expect(page.getByText('An http or https address', { exact: false })).toBeVisible();
    await expect(page.getByText('Please fill this in.').first()).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Not A Name');
    await expect(page.getByLabel('Base URL', { exact: true })).toHaveValue('ftp://example.org');
  });
});

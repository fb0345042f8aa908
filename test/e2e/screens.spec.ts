import { expect, test } from './support/console.ts';
import { expectVisibleFocus } from './support/layout.ts';
import { startModelServer } from './support/model-server.ts';
import { approve, card, expectStatus, goTo, run, runsRegion, startRun, trySample } from './support/person.ts';
import { killAll } from './support/process-family.ts';
import { proveScreen, speak } from './support/screens.ts';

/*
 * Every screen in both themes, in three sizes: axe finds nothing grave (contrast AA included), nothing is wider than the window,
 * no text is cut off, what can be pressed is large enough, headings are in order. Pictures are in test-results/screens.
 */

/** Eighteen looks with axe at a few screens each. */
test.describe.configure({ timeout: 240_000 });

test.describe('every screen', () => {
  test('before there is anything', async ({ app }) => {
    const { page } = app;
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Countersign' })).toBeVisible();
    await proveScreen(app, 'first-run');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(5);
    await goTo(page, '#/start');
    await expect(page.getByRole('heading', { level: 1, name: 'Start a run' })).toBeVisible();
    await proveScreen(app, 'start-nothing-connected');
    await goTo(page, '#/no/such/screen');
    await proveScreen(app, 'no-such-screen');
    await goTo(page, '#/runs/no-such-run');
    await expect(page.getByRole('heading', { name: /no such run/ })).toBeVisible();
    await proveScreen(app, 'no-such-run');
  });

  test('of a record from card to end', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    await proveScreen(app, 'card-record');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(8);
    app.site().changePage(42, 'meta_description', 'Somebody else was here');
    await approve(page);
    await expect(card(page).getByText(/The target changed after an approval/)).toBeVisible({ timeout: 15_000 });
    await proveScreen(app, 'card-stale');
    await approve(page);
    await expectStatus(page, 'Completed');
    await proveScreen(app, 'run-completed');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(8);
    await goTo(page, '#/');
    await expect(runsRegion(page)).toBeVisible();
    await proveScreen(app, 'inbox-with-runs');
  });

  test('of files, forms and models', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    await startRun(page, { configuration: 'sample-files', request: 'Keep crawlers out of /search/', label: 'Robots' });
    await expect(card(page)).toBeVisible({ timeout: 15_000 });
    await proveScreen(app, 'card-file');
    await startRun(page, { configuration: 'sample-questions', request: 'Rename page 42', label: 'Another title' });
    await expect(card(page).getByRole('button', { name: 'Answer' })).toBeVisible({ timeout: 15_000 });
    await card(page).getByRole('button', { name: 'Answer' }).click();
    await expect(card(page).getByText('This is needed.').first()).toBeVisible();
    await proveScreen(app, 'card-question-refused');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(6);
    await goTo(page, '#/start');
    await expect(page.getByRole('heading', { level: 1, name: 'Start a run' })).toBeVisible();
    await proveScreen(app, 'start-a-run');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(6);
    await goTo(page, '#/models');
    await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
    await proveScreen(app, 'models');
    await goTo(page, '#/models/new');
    await page.getByLabel('Name', { exact: true }).fill('local');
    await page.getByLabel('Base URL', { exact: true }).fill('http://127.0.0.1:9/v1');
    await page.getByLabel('Model', { exact: true }).fill('any');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible({ timeout: 20_000 });
    await proveScreen(app, 'connect-a-model-tested');
    expect(await expectVisibleFocus(page)).toBeGreaterThan(8);
  });

  test('of work that goes on, fails, or shows no preview', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    const model = await startModelServer((question) => {
      const asked = JSON.stringify(question.messages);
      if (!asked.includes('Blind')) return { text: 'Never heard.' };
      const change = { database: 'site', table: 'no_such_table', key: { id: 1 }, values: { title: 'x' } };
      return { text: 'I cannot show you this.', calls: [{ name: 'update_record', arguments: change }] };
    });
    try {
      const granted = ['--database', `site=${app.site().databasePath}`];
      expect((await app.cli('connect', 'blind', '--base-url', model.baseUrl, '--model', 'm', ...granted)).code).toBe(0);
      const blind = await app.cliJson<{ runId: string }>(
        'enqueue',
        'Blind',
        '--configuration',
        'blind',
        '--label',
        'No preview',
      );
      await goTo(page, `#/runs/${blind.runId}`);
      await expect(card(page)).toBeVisible({ timeout: 15_000 });
      await expect(card(page).getByText('Deciding without preview')).toBeVisible();
      await proveScreen(app, 'card-no-preview');
    } finally {
      await model.close();
    }
    const unreachable = ['connect', 'nobody', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'];
    expect((await app.cli(...unreachable)).code).toBe(0);
    const going = await app.cliJson<{ runId: string }>(
      'enqueue',
      'Anything',
      '--configuration',
      'nobody',
      '--label',
      'Goes on',
    );
    await goTo(page, `#/runs/${going.runId}`);
    await expect(page.getByRole('button', { name: 'Cancel the run' })).toBeVisible();
    await proveScreen(app, 'run-goes-on');
  });

  test('with nothing to do, and of a run that failed', async ({ app }) => {
    const { page } = app;
    const model = await startModelServer(() => ({ text: 'Nobody hears this.' }), 'another key');
    try {
      expect((await app.cli('connect', 'strict', '--base-url', model.baseUrl, '--model', 'm')).code).toBe(0);
      await expect(runsRegion(page).getByText('Nothing has run yet.')).toBeVisible();
      await proveScreen(app, 'inbox-empty');
      await startRun(page, { configuration: 'strict', request: 'Anything', label: 'Not let in' });
      await expectStatus(page, 'Failed');
      await expect(run(page).getByText(/asks for an API key/)).toBeVisible();
      await proveScreen(app, 'run-failed');
    } finally {
      await model.close();
    }
  });

  test('without its host', { tag: '@browser-only' }, async ({ app }) => {
    const { page } = app;
    await trySample(page);
    app.guard.allow(/ERR_CONNECTION|WebSocket|Failed to load resource/, 'the host is killed in this test');
    await killAll([app.hostPid]);
    await expect(page.getByRole('alert').filter({ hasText: 'No connection' })).toBeVisible();
    await proveScreen(app, 'disconnected');
    await goTo(page, '#/models');
    const failed = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
    await expect(failed.getByRole('button', { name: 'Retry' })).toBeVisible();
    await proveScreen(app, 'load-failed');
  });

  test('in German', async ({ app }) => {
    const { page } = app;
    await trySample(page);
    await speak(page, 'de');
    await expect(page.getByRole('navigation').getByRole('link', { name: /^Eingang/ })).toBeVisible();
    await proveScreen(app, 'card-record-german');
    await goTo(page, '#/models/new');
    await proveScreen(app, 'connect-a-model-german');
    await goTo(page, '#/start');
    await proveScreen(app, 'start-a-run-german');
  });
});

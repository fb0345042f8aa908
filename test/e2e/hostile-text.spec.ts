import type { Locator, Page } from '@playwright/test';
import { openConsole } from '../../src-main/compose.ts';
import { expect, test, type ConsoleUnderTest } from './support/console.ts';
import { hiddenIn, inLabels, LONG_LINE, NASTY, naughtyStrings, visibleOf } from './support/hostile-strings.ts';
import { expectLayout } from './support/layout.ts';
import { startModelServer } from './support/model-server.ts';
import { approve, card, expectStatus, goTo, run, trySample } from './support/person.ts';

/*
 * Text from models, tools, records and callers, made to deceive or to break out. It is shown as what it is: escaped or inert,
 * never fetched, never carried out. The guard of every test watches requests, policy and errors besides.
 */

const naughty = naughtyStrings();
if (naughty === null) process.stdout.write('hostile text: ../shared/vectors/strings is not here; own strings only\n');
const STRINGS = [...(naughty ?? []), ...NASTY];
const LONGEST_LABEL = 200;

/** Nothing of the text became part of the page, and nothing in it ran. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hostile: 'hostile' in window,
    elements: [
      ...document.querySelectorAll('main :is(img, script, iframe, object, embed, base, link, svg[onload])'),
    ].map((element) => element.outerHTML.slice(0, 200)),
    outside: [...document.querySelectorAll('main a[href]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => !href.startsWith('#/')),
  }));
  expect(found).toEqual({ hostile: false, elements: [], outside: [] });
}

/** The article holds each text, and nothing that a person could not see. */
function expectShown(shown: string, strings: string[]): void {
  expect(hiddenIn(shown), 'characters that nobody can see').toEqual([]);
  const visible = visibleOf(shown);
  expect(strings.filter((text) => !visible.includes(visibleOf(text)))).toEqual([]);
}

const textOf = async (page: Page, which: 'card' | 'run'): Promise<string> =>
  (await (which === 'card' ? card(page) : run(page)).textContent()) ?? '';

async function connect(app: ConsoleUnderTest, baseUrl: string): Promise<void> {
  const site = app.site();
  const granted = ['--database', `site=${site.databasePath}`, '--workspace', `files=${site.folder}/workspace`];
  const answer = await app.cli('connect', 'hostile', '--base-url', baseUrl, '--model', 'any', ...granted);
  expect(answer.code, answer.stderr).toBe(0);
  // The hostile answers take more than a model is thought to take that nobody described.
  const told = await app.cli('configuration', 'hostile', '--set', 'contextWindow=200000');
  expect(told.code, told.stderr).toBe(0);
}

test.describe('hostile text', () => {
  test('in prose, arguments and previews is shown and stays inert', async ({ app }) => {
    test.slow();
    const { page } = app;
    page.on('dialog', (dialog) => app.guard.note(`a dialog opened: ${dialog.message()}`));
    await trySample(page);
    const whole = STRINGS.join('\n');
    const model = await startModelServer((_question, round) =>
      round === 0
        ? {
            text: whole,
            calls: [
              {
                name: 'update_record',
                arguments: { database: 'site', table: 'pages', key: { id: 41 }, values: { meta_description: whole } },
              },
              {
                name: 'write_file',
                arguments: { workspace: 'files', path: 'notes/hostile.txt', content: `${whole}\n${LONG_LINE}\n` },
              },
            ],
          }
        : { text: `${whole}\n${LONG_LINE}` },
    );
    try {
      await connect(app, model.baseUrl);
      const words = ['Do your worst', '--configuration', 'hostile', '--label', 'Worst'];
      const started = await app.cliJson<{ runId: string }>('enqueue', ...words);
      await goTo(page, `#/runs/${started.runId}`);
      await expect(card(page)).toBeVisible({ timeout: 20_000 });
      await expect(page.getByRole('note').filter({ hasText: 'invisible or reordering characters' })).toBeVisible();
      await pressAll(card(page).locator('details:not([open]) > summary'));
      await pressAll(card(page).getByRole('button', { name: /^Show (all|everything)/ }));
      expectShown(await textOf(page, 'card'), STRINGS);
      await expectInert(page);
      await app.resize(page, { width: 900, height: 600, zoom: 1 });
      await expectLayout(page);
      await approve(page);
      await expectStatus(page, 'Completed');
      expectShown(await textOf(page, 'run'), STRINGS);
      await expectInert(page);
      await expectLayout(page);
    } finally {
      await model.close();
    }
  });

  test('in titles is shown and stays inert', async ({ app }) => {
    test.slow();
    const { page } = app;
    page.on('dialog', (dialog) => app.guard.note(`a dialog opened: ${dialog.message()}`));
    await trySample(page);
    await app.resize(page, { width: 900, height: 600, zoom: 1 });
    const labels = inLabels(STRINGS, LONGEST_LABEL);
    const runIds = await enqueueAll(app, labels);
    for (const [index, runId] of runIds.entries()) {
      await goTo(page, `#/runs/${runId}`);
      const title = run(page).getByRole('heading', { level: 2 }).first();
      const wanted = visibleOf(labels[index] ?? '');
      await expect
        .poll(async () => visibleOf((await title.textContent()) ?? ''), { message: JSON.stringify(labels[index]) })
        .toContain(wanted);
      expect(hiddenIn((await title.textContent()) ?? '')).toEqual([]);
      if (index % 20 === 0) await expectLayout(page);
    }
    await expectInert(page);
    const list = (await page.getByRole('region', { name: 'Runs' }).textContent()) ?? '';
    expect(hiddenIn(list)).toEqual([]);
  });
});

/** Presses each until none is left: what was pressed goes away. */
async function pressAll(buttons: Locator): Promise<void> {
  for (let left = await buttons.count(); left > 0; left = await buttons.count()) {
    // By key: a text of 200 kB grows above it, and a click may miss what moves.
    await buttons.first().press('Enter');
    await expect(buttons).not.toHaveCount(left);
  }
}

/** Runs that ask nothing of a person, through the runtime itself: labels hold what no command line could carry. */
async function enqueueAll(app: ConsoleUnderTest, labels: string[]): Promise<string[]> {
  const opened = openConsole(app.databasePath);
  try {
    const configuration = await opened.installation.store.findConfiguration('sample');
    if (!configuration) throw new Error('There is no configuration "sample".');
    const started = await Promise.all(
      labels.map((label) =>
        opened.runtime.enqueue(opened.actor, {
          configurationId: configuration.id,
          label,
          prompt: 'Which page?',
          maxRounds: null,
          allowedToolNames: null,
        }),
      ),
    );
    return started.map((each) => {
      if (!each.ok) throw new Error(`Refused: ${each.refusal.kind}`);
      return each.value.id;
    });
  } finally {
    opened.close();
  }
}

import { expect, type Locator, type Page } from '@playwright/test';

/* What a person does and sees, in the words of the page. Specs say what should come of it. */

/** Nothing on a card decides sooner than this after it appeared or changed, so that nobody approves what they did not see. */
const LOOK_MS = 450;
/** From a click on the first screen to a card: site, configuration, run, two answers of the script. */
const FIRST_CARD_MS = 15_000;

export const card = (page: Page): Locator => page.getByRole('article', { name: 'Decision card' });
export const run = (page: Page): Locator => page.getByRole('article', { name: 'Run' });
export const timeline = (page: Page): Locator => page.getByRole('list', { name: 'Timeline' });
export const runsRegion = (page: Page): Locator => page.getByRole('region', { name: 'Runs' });
export const approveButton = (page: Page): Locator => card(page).getByRole('button', { name: /^Approve/ });
export const denyButton = (page: Page): Locator => card(page).getByRole('button', { name: /^Deny/ }).first();

/** The run that the page is at. Faults: at another screen. */
export function runIdOf(page: Page): string {
  const found = /#\/runs\/([\w-]+)/.exec(page.url())?.[1];
  if (!found) throw new Error(`The page is at ${page.url()}, which is no run.`);
  return found;
}

/** First screen, one click, and the card of the run that it started. Returns the run's id. */
export async function trySample(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Try it with the sample site' }).click();
  await expect(approveButton(page)).toBeVisible({ timeout: FIRST_CARD_MS });
  return runIdOf(page);
}

/** Starts a run on the screen for it; returns the run's id as soon as the page shows the run. */
export async function startRun(
  page: Page,
  wanted: { configuration: string; request: string; label?: string },
): Promise<string> {
  await goTo(page, '#/start');
  await choose(page, 'Configuration', wanted.configuration);
  await page.getByRole('textbox', { name: 'Request' }).fill(wanted.request);
  if (wanted.label !== undefined) await page.getByRole('textbox', { name: 'Label' }).fill(wanted.label);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/#\/runs\//);
  return runIdOf(page);
}

/** Picks from a list of the page's own or of the system's. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true }).first();
  if (await field.evaluate((element) => element instanceof HTMLSelectElement)) {
    await field.selectOption({ label: option });
    return;
  }
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Reads the card for as long as a person must, then approves. */
export async function approve(page: Page): Promise<void> {
  await page.waitForTimeout(LOOK_MS);
  await approveButton(page).click();
}

/** As `approve`, for a denial without a reason. */
export async function deny(page: Page): Promise<void> {
  await page.waitForTimeout(LOOK_MS);
  await denyButton(page).click();
}

/** The run has ended and the page says how. */
export async function expectStatus(page: Page, status: string): Promise<void> {
  await expect(run(page).getByText(status, { exact: true }).first()).toBeVisible({ timeout: 20_000 });
}

/** Goes to a route of the page without loading it again. */
export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, route);
}

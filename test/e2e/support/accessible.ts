import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Findings of these weights keep a person from using the screen. */
const GRAVE = new Set(['serious', 'critical']);

/**
 * What axe finds serious or critical, contrast (AA) included, one line each. Legacy mode, because axe otherwise opens a
 * second, blank page for its own work, which a window of ours refuses.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const grave = violations.filter(({ impact }) => impact && GRAVE.has(impact));
  return grave.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

/** Nothing keeps anybody from using this screen. A finding fails the test at its end, after every other look. */
export async function expectAccessible(page: Page): Promise<void> {
  expect.soft(await findBarriers(page), 'serious or critical findings of axe').toEqual([]);
}

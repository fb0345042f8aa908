import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Findings of these weights keep a person from using the screen. */
const GRAVE = new Set(['serious', 'critical']);

/**
 * Axe finds nothing serious or critical, contrast (AA) included. Legacy mode, because axe otherwise opens a second, blank
 * page for its own work, which a window of ours refuses.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const grave = violations.filter(({ impact }) => impact && GRAVE.has(impact));
  const told = grave.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
  expect.soft(told, 'serious or critical findings of axe').toEqual([]);
}

import { join } from 'node:path';

/** The checkout whose built bundles are tested. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** What scripts/e2e.mjs found on this machine. */
export interface Runtime {
  electron: { executable: string; sqliteBinding?: string };
  browser: string;
}

/** Reads what the starting script hands over. Faults: when Playwright was started by itself. */
export function runtime(): Runtime {
  const text = process.env.COUNTERSIGN_E2E_RUNTIME;
  if (!text) throw new Error('These specs need an Electron, a browser and built bundles. Start them with: npm run e2e');
  return JSON.parse(text) as Runtime;
}

/** A program of out/main. */
export const bundle = (name: string): string => join(ROOT, 'out', 'main', `${name}.js`);

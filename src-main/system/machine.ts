import { release } from 'node:os';
import { VERSION } from './version.ts';

/** What runs here; nothing that names the machine or its people. */
export const machineFacts = (): Record<string, string | null> => ({
  version: VERSION,
  platform: process.platform,
  architecture: process.arch,
  system: release(),
  node: process.versions.node,
  electron: process.versions.electron ?? null,
});

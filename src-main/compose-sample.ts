/*
 * The sample site and the configurations that work on it. Part of the wiring, beside compose.ts.
 */
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type ConfigurationSettings } from './domain/configuration.ts';
import type { SampleConfiguration } from './runtime/sample.ts';
import { resourcesFolder } from './system/resources-folder.ts';
import { buildSampleSite } from './tools/sample-site.ts';

/** The configurations of the sample site and what each plays; the first is the one people start with. */
export const SAMPLE = [
  { identifier: 'sample', scenario: 'check-meta-description.json' },
  { identifier: 'sample-files', scenario: 'edit-robots.json' },
  { identifier: 'sample-questions', scenario: 'rename-page.json' },
] as const;

/** Builds the sample site in `folder`; returns its configurations for the embedded scripted model. Faults: `SampleSiteError`. */
export function buildSample(callerUrl: string, folder: string): SampleConfiguration[] {
  const resources = resourcesFolder(callerUrl);
  const site = buildSampleSite(join(resources, 'sample-site'), folder);
  return SAMPLE.map(({ identifier, scenario }) => ({
    identifier,
    settings: {
      model: { kind: 'scripted', scenarioPath: join(resources, 'scenarios', scenario) },
      databases: [{ name: 'site', path: site.databasePath }],
      workspaces: [{ name: 'site', path: site.workspacePath }],
    },
  }));
}

/** A whole configuration's settings for the sample site, as a new installation would have them. */
export function sampleSettings(callerUrl: string, folder: string): ConfigurationSettings {
  const [first] = buildSample(callerUrl, folder);
  if (!first) throw new Error('The sample site has no configuration.');
  return { ...DEFAULT_SETTINGS, ...first.settings };
}

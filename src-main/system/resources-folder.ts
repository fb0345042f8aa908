import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with the sample site and the scenarios: beside the bundles in a package,
 * at the top of the tree in a checkout.
 * Faults: when the installation is incomplete.
 */
export function resourcesFolder(callerUrl: string): string {
  for (let folder = dirname(fileURLToPath(callerUrl)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'resources');
    if (existsSync(join(candidate, 'scenarios'))) return candidate;
    if (dirname(folder) === folder)
      throw new Error('The resources of this installation are missing. Install it again.');
  }
}

import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of another start of this program: it stands beside the caller's, as a source or as a bundle. */
export function siblingEntry(callerUrl: string, name: string): string {
  const caller = fileURLToPath(callerUrl);
  return join(dirname(caller), `${name}${extname(caller)}`);
}

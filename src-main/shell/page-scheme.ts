import { protocol } from 'electron';
import type { PageFile } from '../ipc/page-files.ts';

/** The page's own scheme: an origin of its own, unlike `file:`. */
const SCHEME = 'countersign-app';
export const PAGE_URL = `${SCHEME}://console/`;

/** Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built page and nothing else. */
export function servePage(page: (path: string) => PageFile | null): void {
  protocol.handle(SCHEME, (request) => {
    const { pathname } = new URL(request.url);
    const file = request.method === 'GET' ? page(pathname) : null;
    return file
      ? new Response(new Uint8Array(file.body), { headers: file.headers })
      : new Response(null, { status: 404 });
  });
}

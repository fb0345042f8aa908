import { protocol } from 'electron';
import type { PageFile } from '../ipc/page-files.ts';
import type { Queries } from '../ipc/queries.ts';

/** The page's own scheme: an origin of its own, unlike `file:`. */
const SCHEME = 'countersign-app';
export const PAGE_URL = `${SCHEME}://console/`;

/** Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/**
 * Serves the built page and answers its queries. The actor is that of the host: the
 * page cannot name another. Anything else under the scheme is not found.
 */
export function servePage(page: (path: string) => PageFile | null, queries: Queries): void {
  protocol.handle(SCHEME, async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') {
      const file = page(pathname);
      return file
        ? new Response(new Uint8Array(file.body), { headers: file.headers })
        : new Response(null, { status: 404 });
    }
    const query = pathname.startsWith('/query/') ? pathname.slice('/query/'.length) : '';
    if (request.method !== 'POST' || !Object.hasOwn(queries, query)) return new Response(null, { status: 404 });
    return Response.json(await queries[query]?.());
  });
}

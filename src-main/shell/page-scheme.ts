import { protocol } from 'electron';
import type { PageFile } from '../ipc/page-files.ts';
import { PAGE_ORIGIN, PAGE_SCHEME } from './page-address.ts';

/** Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the files of the built page and nothing else: calls go over the bridge, never over an address. */
export function servePage(page: (path: string) => PageFile | null): void {
  protocol.handle(PAGE_SCHEME, (request) => {
    const { pathname } = new URL(request.url);
    const isRead = request.method === 'GET' && request.url.startsWith(`${PAGE_ORIGIN}/`);
    const file = isRead ? page(pathname) : null;
    return file
      ? new Response(new Uint8Array(file.body), { headers: file.headers })
      : new Response(null, { status: 404 });
  });
}

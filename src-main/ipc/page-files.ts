import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the built page, ready to be sent. */
export interface PageFile {
  body: Buffer;
  headers: Record<string, string>;
}

/** What the build of the page may emit; anything else in its folder is not served. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** What the page carries where its nonce belongs. */
const NONCE_PLACE = '__STYLE_NONCE__';

/**
 * Nothing from elsewhere, no inline script, nothing evaluated, nobody may frame it.
 * Styles that the page makes while it runs carry the nonce of this one load. Topics
 * come from the same origin, which `'self'` covers for WebSockets, too.
 */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const securityHeaders = (nonce: string): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(nonce),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/**
 * The built page, read once: a request names a file that exists in the list or gets
 * nothing, so no spelling of a path can leave the folder. Each answer has a nonce of
 * its own, and each page gets the one that its headers name.
 * Faults: when the page was not built.
 */
export function loadPage(folder: string, newNonce: () => string): (path: string) => PageFile | null {
  const files = new Map<string, { body: Buffer; type: string }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length).replaceAll('\\', '/'), { body: readFileSync(path), type });
  }
  if (!files.has('/index.html')) throw new Error(`The page in ${folder} is not built.`);
  return (path) => {
    const file = files.get(path === '/' ? '/index.html' : path);
    if (!file) return null;
    const nonce = newNonce();
    const isHtml = file.type.startsWith('text/html');
    const body = isHtml ? Buffer.from(file.body.toString('utf8').replaceAll(NONCE_PLACE, nonce)) : file.body;
    return { body, headers: { 'content-type': file.type, ...securityHeaders(nonce) } };
  };
}

import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the built page, ready to be sent. */
export interface PageFile {
  body: Buffer;
  headers: Record<string, string>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline, nothing evaluated, nobody may frame it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * The built page, read once: a request names a file that exists in the list or gets
 * nothing, so no spelling of a path can leave the folder.
 * Faults: when the page was not built.
 */
export function loadPage(folder: string): (path: string) => PageFile | null {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).replaceAll('\\', '/');
    files.set(name, { body: readFileSync(path), headers: { 'content-type': type, ...SECURITY_HEADERS } });
  }
  if (!files.has('/index.html')) throw new Error(`The page in ${folder} is not built.`);
  return (path) => files.get(path === '/' ? '/index.html' : path) ?? null;
}

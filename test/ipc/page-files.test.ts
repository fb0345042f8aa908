import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPage } from '../../src-main/ipc/page-files.ts';

describe('the page files', () => {
  let folder: string;
  let nonces: number;
  const load = () => loadPage(folder, () => `nonce-${(nonces += 1)}`);

  beforeEach(() => {
    nonces = 0;
    folder = mkdtempSync(join(tmpdir(), 'countersign-page-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<html data-style-nonce="__STYLE_NONCE__"></html>');
    writeFileSync(join(folder, 'assets', 'page.js'), 'const a = "__STYLE_NONCE__";');
    writeFileSync(join(folder, 'assets', 'font.woff2'), Buffer.from([0, 255, 128]));
    writeFileSync(join(folder, 'notes.map'), '{}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('give each load of the page a nonce of its own, in the page and in its policy', () => {
    const page = load();
    const [first, second] = [page('/'), page('/index.html')];
    expect(first?.body.toString()).toBe('<html data-style-nonce="nonce-1"></html>');
    expect(first?.headers['content-security-policy']).toContain("style-src 'self' 'nonce-nonce-1'");
    expect(second?.body.toString()).toBe('<html data-style-nonce="nonce-2"></html>');
  });

  it('allow nothing inline, evaluated, framed or from elsewhere', () => {
    const policy = load()('/')?.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|blob:/);
  });

  it('are sent as they are, and only those of kinds the build makes', () => {
    const page = load();
    expect(page('/assets/page.js')).toMatchObject({ headers: { 'content-type': 'text/javascript; charset=utf-8' } });
    expect(page('/assets/page.js')?.body.toString()).toContain('__STYLE_NONCE__');
    expect(page('/assets/font.woff2')?.body).toEqual(Buffer.from([0, 255, 128]));
    for (const path of ['/notes.map', '/assets', '/assets/', '/../x.js', '/assets/../index.html', '', 'index.html'])
      expect(page(path), path).toBeNull();
  });

  it('are missed at once where the page was not built', () => {
    rmSync(join(folder, 'index.html'));
    expect(load).toThrow('not built');
  });
});

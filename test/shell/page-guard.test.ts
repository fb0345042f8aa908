import { EventEmitter } from 'node:events';
import type { App, Session } from 'electron';
import { describe, expect, it } from 'vitest';
import { isPageAddress, PAGE_URL } from '../../src-main/shell/page-address.ts';
import { refuseNavigation, refusePermissions } from '../../src-main/shell/page-guard.ts';

class FakeContents extends EventEmitter {
  openWindow: ((details: { url: string }) => unknown) | undefined;
  setWindowOpenHandler(handler: (details: { url: string }) => unknown): void {
    this.openWindow = handler;
  }
}

/** New contents, guarded as every page is. */
function guarded(): FakeContents {
  const app = new EventEmitter();
  refuseNavigation(app as unknown as App);
  const contents = new FakeContents();
  app.emit('web-contents-created', {}, contents);
  return contents;
}

/** Whether an event with these facts is refused. */
function isRefused(emitter: EventEmitter, name: string, facts: object = {}): boolean {
  let refused = false;
  emitter.emit(name, { ...facts, preventDefault: () => (refused = true) });
  return refused;
}

const foreign = [
  'https://example.org/',
  'http://127.0.0.1:8080/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,hello',
  'about:blank',
  'blob:countersign-app://console/1',
  'countersign-app://other/',
  'countersign-app://console/index.html',
  'countersign-app://console/?x=1',
  'countersign-app://console.example.org/',
  'countersign-app://user@console/',
  '',
];

describe('a page', () => {
  it.each([PAGE_URL, `${PAGE_URL}#/`, `${PAGE_URL}#/runs/r1`])('may be loaded again at %s', (url) => {
    expect(isPageAddress(url)).toBe(true);
    expect(isRefused(guarded(), 'will-navigate', { url })).toBe(false);
    expect(isRefused(guarded(), 'will-frame-navigate', { url, isMainFrame: true })).toBe(false);
  });

  it.each(foreign)('cannot go to "%s"', (url) => {
    expect(isRefused(guarded(), 'will-navigate', { url })).toBe(true);
    expect(isRefused(guarded(), 'will-frame-navigate', { url, isMainFrame: true })).toBe(true);
  });

  it.each([PAGE_URL, ...foreign])('cannot open a window or frame with "%s", or be sent there', (url) => {
    const contents = guarded();
    expect(contents.openWindow?.({ url })).toEqual({ action: 'deny' });
    expect(isRefused(contents, 'will-frame-navigate', { url, isMainFrame: false })).toBe(true);
    expect(isRefused(contents, 'will-redirect', { url })).toBe(true);
  });

  it('cannot embed another view', () => {
    expect(isRefused(guarded(), 'will-attach-webview')).toBe(true);
  });
});

describe('the session', () => {
  /** A session that keeps what was set; anything it is asked for afterwards is answered by that. */
  class FakeSession extends EventEmitter {
    request: ((contents: null, permission: string, decide: (isGranted: boolean) => void) => void) | undefined;
    check: ((contents: null, permission: string) => boolean) | undefined;
    device: ((details: object) => boolean) | undefined;
    hasSpellChecker = true;
    dictionaries = ['en-GB'];
    setPermissionRequestHandler(handler: NonNullable<FakeSession['request']>): void {
      this.request = handler;
    }
    setPermissionCheckHandler(handler: NonNullable<FakeSession['check']>): void {
      this.check = handler;
    }
    setDevicePermissionHandler(handler: NonNullable<FakeSession['device']>): void {
      this.device = handler;
    }
    setSpellCheckerLanguages(languages: string[]): void {
      this.dictionaries = languages;
    }
    setSpellCheckerEnabled(isEnabled: boolean): void {
      this.hasSpellChecker = isEnabled;
    }
  }
  const session = new FakeSession();
  refusePermissions(session as unknown as Session);

  it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'display-capture', 'openExternal', 'unheard-of'])(
    'grants no page %s, asked or checked',
    (permission) => {
      const granted: boolean[] = [];
      session.request?.(null, permission, (isGranted) => granted.push(isGranted));
      expect(granted).toEqual([false]);
      expect(session.check?.(null, permission)).toBe(false);
    },
  );

  it('grants no device, no download and no spell checker, which would fetch dictionaries', () => {
    expect(session.device?.({ deviceType: 'usb' })).toBe(false);
    expect(isRefused(session, 'will-download')).toBe(true);
    expect(session.hasSpellChecker).toBe(false);
    expect(session.dictionaries).toEqual([]);
  });
});

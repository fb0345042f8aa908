import { app, BrowserWindow, session } from 'electron';
import { PAGE_URL } from './page-scheme.ts';

/** The console's window: sandboxed, isolated, and unable to go anywhere else. */
export function openWindow(isShown: boolean): BrowserWindow {
  // The spell checker would fetch its dictionary from a server of Google's at the first start; switched off alone it still does.
  session.defaultSession.setSpellCheckerLanguages([]);
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    minWidth: 900,
    minHeight: 600,
    show: isShown,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  return window;
}

/** Refuses navigation and new windows for every page there will ever be. */
export function refuseNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => {
      if (event.url !== PAGE_URL) event.preventDefault();
    });
  });
}

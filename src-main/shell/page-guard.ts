import type { App, Session, WebContents } from 'electron';
import { isPageAddress } from './page-address.ts';

/**
 * Keeps every page there will ever be where it is: no other address, no frame with
 * one, no new window, no embedded view. Nothing is opened in a browser either: a link
 * in an agent's text is text.
 */
export function refuseNavigation(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => guard(contents));
}

function guard(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => {
    if (!isPageAddress(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isPageAddress(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
}

/**
 * The page gets nothing of the machine: no permission, no device, no download, no
 * dictionary fetched from elsewhere.
 */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  // Switched off alone it would still fetch a dictionary from a server at the first start.
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

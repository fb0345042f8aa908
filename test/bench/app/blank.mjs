import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

/*
 * The least that this Electron can show: one window with the console's preferences and an empty page. What it takes belongs
 * to Electron, not to the console.
 */
app.setPath('userData', join(process.env.COUNTERSIGN_DATA ?? '', 'window'));
app.on('window-all-closed', () => app.quit());
app
  .whenReady()
  .then(() => {
    const window = new BrowserWindow({
      width: 1200,
      height: 800,
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    return window.loadURL('data:text/html,<!doctype html><title>Blank</title>');
  })
  .catch((error) => {
    console.error(error);
    app.exit(1);
  });

import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Report } from '../system/log.ts';
import { PAGE_URL } from './page-address.ts';
import type { WindowStateFile } from './window-state-file.ts';
import { MIN_HEIGHT, MIN_WIDTH, nextWindowState, windowStateFrom, type WindowState } from './window-state-rules.ts';

export interface WindowsOptions {
  /** Path of the bundled preload script. */
  preload: string;
  icon: string;
  /** False = nothing is ever seen, for the smoke test. */
  isShown: boolean;
  state: WindowStateFile;
  report: Report;
  onOpened(window: BrowserWindow): void;
}

/** The console's windows: any number, each its own page on the same host. */
export interface Windows {
  /** Opens one more; resolves when its page is loaded. */
  open(): Promise<void>;
  /** Shows the window used last, or opens one when there is none. */
  bringForward(): void;
  /** Whether the contents with this id are one of these windows'. */
  isOurs(contentsId: number): boolean;
  /** Closes all at once, without asking their pages. */
  closeAll(): void;
}

/** The page's own background, so that a window never flashes white before its first picture. */
const BACKGROUND = { dark: '#242424', light: '#ffffff' };

/** Starts with no window. Needs Electron to be ready by the first `open`. */
export function createWindows(options: WindowsOptions): Windows {
  const { state, report } = options;
  const opened = new Map<number, BrowserWindow>();
  const latest = (): BrowserWindow | undefined => BrowserWindow.getFocusedWindow() ?? [...opened.values()].at(-1);

  async function open(): Promise<void> {
    const displays = screen.getAllDisplays().map((display) => display.workArea);
    const beside = latest();
    const wanted = beside
      ? nextWindowState(beside.getNormalBounds(), displays)
      : windowStateFrom(state.read(), displays);
    const window = new BrowserWindow(windowOptions(wanted, options));
    const { id } = window.webContents;
    opened.set(id, window);
    window.once('closed', () => opened.delete(id));
    if (options.isShown) show(window, wanted);
    remember(window, state);
    options.onOpened(window);
    try {
      await window.loadURL(PAGE_URL);
    } catch (error) {
      // Closed while it was loading: nobody waits for its page any more.
      if (!window.isDestroyed()) throw error;
    }
  }

  return {
    open,
    bringForward() {
      const window = latest();
      if (!window) return void open().catch((error: unknown) => report(error, 'window'));
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    isOurs: (contentsId) => opened.has(contentsId),
    closeAll() {
      const last = latest();
      if (last) state.write(stateOf(last));
      for (const window of opened.values()) window.destroy();
    },
  };
}

function windowOptions({ bounds }: WindowState, { preload, icon }: WindowsOptions) {
  return {
    ...bounds,
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  };
}

/** Shown with its first picture, not before; the picture may come after everything was closed. */
function show(window: BrowserWindow, { isMaximized }: WindowState): void {
  window.once('ready-to-show', () => {
    if (isGone(window)) return;
    if (isMaximized) window.maximize();
    window.show();
  });
}

function remember(window: BrowserWindow, state: WindowStateFile): void {
  const note = (): void => state.note(() => (window.isDestroyed() ? null : stateOf(window)));
  window.on('resize', note);
  window.on('move', note);
  window.on('maximize', note);
  window.on('unmaximize', note);
  window.on('close', () => state.write(stateOf(window)));
}

/** A window's contents end before the window does, and showing it then throws. */
const isGone = (window: BrowserWindow): boolean => window.isDestroyed() || window.webContents.isDestroyed();

const stateOf = (window: BrowserWindow): WindowState => ({
  bounds: window.getNormalBounds(),
  isMaximized: window.isMaximized(),
});

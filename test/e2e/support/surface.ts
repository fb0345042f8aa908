import type { Page } from '@playwright/test';
import type { Guard } from './guard.ts';

export type SurfaceName = 'electron' | 'chromium';

/** What a surface needs to start a console. */
export interface StartOptions {
  /** Home, data and everything else the console may write to lies below it. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  guard: Guard;
  /** Takes every line that the host says. */
  log(text: string): void;
}

/** A size in CSS pixels at 100 %, and how far the person has zoomed in. */
export interface ScreenSize {
  width: number;
  height: number;
  zoom: 1 | 2;
}

/** A started console, whichever way it is shown. */
export interface Surface {
  page: Page;
  /** Of the process whose end is the end of the console. */
  hostPid: number;
  /** The next window or tab that the console opens. */
  nextPage(): Promise<Page>;
  resize(page: Page, size: ScreenSize): Promise<void>;
  /** What is in the window now, as PNG. */
  picture(page: Page): Promise<Buffer>;
  /** As a person would end it; resolves when every process is gone. */
  stop(): Promise<void>;
  /** As a power cut would end it. */
  kill(): Promise<void>;
}

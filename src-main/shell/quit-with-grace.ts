import type { App } from 'electron';
import type { Report } from '../system/log.ts';

export interface QuitOptions {
  app: Pick<App, 'on' | 'quit' | 'exit'>;
  platform: NodeJS.Platform;
  /** Takes everything off the screen, at once. */
  leave(): void;
  /** Lets workers finish their step, then ends and closes everything. */
  stop(): Promise<void>;
  /** Where errors arrive that nobody caught. */
  process: Pick<NodeJS.Process, 'on'>;
  /** Tells the person why the app ends now; returns when it has been read. */
  explain(error: Error): void;
  report: Report;
}

/**
 * Ends the app so that nothing is lost: windows go at once, workers finish their step
 * or are reclaimed at the next start. Whoever asks a second time does not want to wait;
 * then it ends at once, which is as safe as a crash. On macOS an app without a window stays.
 *
 * After an error that nobody caught, nothing in memory can be trusted: the app says so and ends at once. While it is ending
 * already it does not say so: Electron's own box would stand there and keep the end waiting for somebody to read it.
 */
export function quitWithGrace({ app, platform, leave, stop, process, explain, report }: QuitOptions): void {
  let isStopping = false;

  async function end(): Promise<void> {
    try {
      leave();
      await stop();
      app.exit(0);
    } catch (error) {
      report(error, 'quit');
      app.exit(1);
    }
  }

  process.on('uncaughtException', (error: Error) => {
    report(error, 'uncaught');
    if (!isStopping) explain(error);
    app.exit(1);
  });
  app.on('window-all-closed', () => {
    // Our own leaving closes windows, too; it is not somebody who asks a second time.
    if (!isStopping && platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isStopping) return app.exit(0);
    isStopping = true;
    void end();
  });
}

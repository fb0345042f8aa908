import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { ShellWords } from './shell-words.ts';

/** Says which version this is and which file it works on. */
export async function showAbout(words: ShellWords, facts: { version: string; database: string }): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: words.about,
    message: 'Countersign',
    detail: `${words.version(facts.version)}\n${words.database(facts.database)}`,
    buttons: [words.close],
  });
}

/** Says that the brake did not move. */
export async function showPauseRefused(words: ShellWords): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Countersign',
    message: words.pauseRefused,
    detail: words.pauseRefusedDetail,
    buttons: [words.close],
  });
}

/** Says that the app ends because of an error nobody caught. Blocks until it is read. */
export const showUncaught = (words: ShellWords, error: Error): void =>
  dialog.showErrorBox(words.hasToEnd, `${words.hasToEndDetail}\n\n${error.message}`);

/** Whether a window that keeps stopping shall be loaded once more. */
export const askTryAgain = (window: BrowserWindow, words: ShellWords): Promise<boolean> =>
  choose(window, {
    message: words.windowEnded,
    detail: words.windowEndedDetail,
    buttons: [words.tryAgain, words.closeWindow],
    cancelId: 1,
  });

/** Whether a window that hangs shall be loaded again. Waiting is what happens without an answer. */
export const askReloadHanging = async (
  window: BrowserWindow,
  words: ShellWords,
  signal: AbortSignal,
): Promise<boolean> =>
  choose(window, {
    message: words.noAnswer,
    detail: words.noAnswerDetail,
    buttons: [words.reload, words.wait],
    cancelId: 1,
    signal,
  });

async function choose(window: BrowserWindow, options: MessageBoxOptions): Promise<boolean> {
  // Windows that were never shown, or whose first picture never came, would hide the question.
  window.show();
  const { response } = await dialog.showMessageBox(window, { type: 'warning', title: 'Countersign', ...options });
  return response === 0;
}

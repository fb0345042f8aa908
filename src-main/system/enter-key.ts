/** Whether a person can type here. */
export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** Calls back for each line a person ends with Enter; nothing where there is no terminal. Returns the way to stop. */
export function onEnter(listener: () => void): () => void {
  if (!isAtTerminal()) return () => undefined;
  process.stdin.on('data', listener);
  process.stdin.resume();
  return () => {
    process.stdin.off('data', listener);
    process.stdin.pause();
  };
}

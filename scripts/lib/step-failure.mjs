/**
 * A step that could not do its work, told the way the reader needs it: what was tried, why it failed, and the one command
 * that would help. Anything else thrown by a step is a bug in these scripts and is shown with its stack.
 */
export class StepFailure extends Error {
  /** @param {{ tried: string, because: string, help: string }} facts */
  constructor({ tried, because, help }) {
    super(because);
    this.name = 'StepFailure';
    this.tried = tried;
    this.because = because;
    this.help = help;
  }
}

/**
 * The end of a tool's output, where tools put the reason. Twenty lines hold a compiler error with its context.
 *
 * @param {string} text
 */
export function tail(text, lines = 20) {
  const kept = text.trimEnd().split('\n').slice(-lines).join('\n');
  return kept === '' ? '(no output)' : kept;
}

/** A terminal as far as a line is read from it without being shown. */
export interface HiddenInput {
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (typed: string) => void): unknown;
  off(event: 'data', listener: (typed: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const ENTER = new Set(['\r', '\n']);
/** Ctrl+C and Ctrl+D. */
const LEAVE = new Set(['\u0003', '\u0004']);
const BACKSPACE = new Set(['\u007f', '\b']);
const CONTROL = /^\p{Cc}$/u;
/** What a key sends that is no character: arrows, Home, function keys. Nothing of it belongs to what is typed. */
// oxlint-disable-next-line no-control-regex -- such a sequence begins with the control character Escape
const KEY_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/g;

/**
 * Asks at the terminal and shows nothing of what is typed. Null when the person leaves with Ctrl+C or Ctrl+D. What
 * comes after Enter in one go is let go: it is no answer to a question that was not asked yet.
 */
export function readHidden(
  question: string,
  input: HiddenInput = process.stdin,
  output: { write(text: string): unknown } = process.stdout,
): Promise<string | null> {
  return new Promise((resolve) => {
    const line: string[] = [];
    const end = (answer: string | null): void => {
      input.off('data', hear);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      resolve(answer);
    };
    const hear = (typed: string): void => {
      for (const character of typed.replaceAll(KEY_SEQUENCE, '')) {
        if (ENTER.has(character)) return end(line.join(''));
        if (LEAVE.has(character)) return end(null);
        if (BACKSPACE.has(character)) line.pop();
        else if (!CONTROL.test(character)) line.push(character);
      }
    };
    output.write(question);
    // Raw first: what is typed from here on must not be shown.
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', hear);
    input.resume();
  });
}

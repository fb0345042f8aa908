import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One rule taken out of the sources or turned round, and the tests of which at least one must fail for it. */
export interface Mutant {
  name: string;
  /** `gate`, `guard` and `seal`: all of them; `case`: a sample of the acceptance cases, drawn by `drawCases`. */
  group: 'gate' | 'guard' | 'seal' | 'case';
  file: string;
  /** Exact text, found once in the file, and what stands there instead. */
  text: string;
  instead: string;
  /** Test files of the project `together`. */
  tests: string[];
}

/** The file with the rule taken out. Faults: when its text is not there exactly once. */
export function mutated(root: string, { name, file, text, instead }: Mutant): string {
  const [before = '', after, ...more] = readFileSync(join(root, file), 'utf8').split(text);
  if (after === undefined || more.length > 0) throw new Error(`${name}: its text is not exactly once in ${file}`);
  return before + instead + after;
}

import { resolve } from 'node:path';
import { plainLine } from '../../src-shared/plain-text.ts';
import { EXIT, integerOption, onlyPositional, textOption, UsageError, type Command } from './command.ts';
import { writeNew } from './new-file.ts';
import { refuse } from './run-commands.ts';

export const receipt: Command = {
  usage: 'RUN [--decision N] [--out FILE]',
  summary:
    'Give out the signed receipt of a decision, the newest unless told; check it with scripts/verify-receipt.mjs',
  options: { decision: { type: 'string' }, out: { type: 'string' } },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const wanted = integerOption(invocation, 'decision', 0, 1, Number.MAX_SAFE_INTEGER);
    const out = textOption(invocation, 'out');
    if (out === '') throw new UsageError('--out names no file.');
    const opened = invocation.open();
    const found = await opened.runtime.receipt(opened.actor, runId, wanted || null);
    if (!found.ok) return refuse(invocation, found.refusal);
    const file = found.value;
    const path = out === undefined ? null : resolve(out);
    if (path !== null) writeNew(path, file);
    invocation.answer(JSON.parse(file), path === null ? [lineOf(file)] : [`Written to ${path}`]);
    return EXIT.ok;
  },
};

/** Byte for byte into a file or another program; at a terminal with every invisible character escaped, as everywhere. */
const lineOf = (file: string): string => {
  const line = file.trimEnd();
  return process.stdout.isTTY ? plainLine(line) : line;
};

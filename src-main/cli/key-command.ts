import { existsSync } from 'node:fs';
import { changeDataKey } from '../compose-care.ts';
import { restoreKey } from '../compose.ts';
import { recoveryCode } from '../system/key-file.ts';
import { installationPaths } from '../system/paths.ts';
import { EXIT, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';

export const key: Command = {
  usage: '[rotate] [--recovery-code | --restore CODE]',
  summary: 'How the data key is kept; its recovery code; rebuild a lost key file; change the key',
  options: { 'recovery-code': { type: 'boolean' }, restore: { type: 'string' } },
  async run(invocation) {
    const paths = installationPaths(invocation.databasePath);
    const [word, ...more] = invocation.positionals;
    const code = textOption(invocation, 'restore');
    if (more.length > 0 || (word !== undefined && (word !== 'rotate' || code !== undefined))) {
      throw new UsageError('The only word that key takes is rotate, and not together with --restore.');
    }
    if (word === 'rotate') return rotate(invocation);
    if (code !== undefined) {
      if (existsSync(paths.key))
        throw new UsageError(`${paths.key} exists. Move it away first; a key in use is never overwritten.`);
      restoreKey(invocation.databasePath, code);
    }
    const { installation } = invocation.open();
    const shown = invocation.options['recovery-code'] ? recoveryCode(installation.dataKey) : null;
    invocation.answer({ keyFile: paths.key, protection: installation.keyProtection, recoveryCode: shown }, [
      `Key file ${paths.key}, ${installation.keyProtection === 'none' ? 'NOT protected by a passphrase: who can read it can read everything' : 'protected by a passphrase'}.`,
      ...codeLines(shown),
    ]);
    return EXIT.ok;
  },
};

function rotate(invocation: Invocation): number {
  const opened = invocation.open();
  const changed = changeDataKey(opened, () => undefined);
  if (!changed.ok) return refuse(invocation, changed.refusal);
  const { newKey, rewrapped, unreadable } = changed.value;
  const shown = invocation.options['recovery-code'] ? recoveryCode(newKey) : null;
  invocation.answer({ keyFile: opened.installation.paths.key, rewrapped, unreadable, recoveryCode: shown }, [
    `The installation has a new key; ${rewrapped} sealed values are under it.`,
    ...(unreadable > 0 ? [`${unreadable} could not be opened before and cannot be now. See: doctor`] : []),
    'Recovery codes and key files from before open older copies only: print a new code with key --recovery-code, and back up database and key together.',
    ...codeLines(shown),
  ]);
  return EXIT.ok;
}

const codeLines = (code: string | null): string[] =>
  code ? [`Recovery code: ${code}`, 'Keep it on paper or in a safe: whoever has it can open everything.'] : [];

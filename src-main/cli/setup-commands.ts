import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addSample, restoreKey } from '../compose.ts';
import { recoveryCode } from '../system/key-file.ts';
import { installationPaths } from '../system/paths.ts';
import { EXIT, onlyPositional, PREFIX, textOption, UsageError, type Command } from './command.ts';
import { refuse } from './run-commands.ts';

export const sample: Command = {
  usage: 'DIR',
  summary: 'Build the sample site in DIR and the configurations that work on it offline',
  options: {},
  async run(invocation) {
    const folder = resolve(onlyPositional(invocation, 'DIR'));
    const added = await addSample(invocation.open('create'), invocation.callerUrl, folder);
    if (!added.ok) return refuse(invocation, added.refusal);
    const names = added.value.map(({ identifier }) => identifier);
    invocation.answer({ folder, configurations: added.value }, [
      `The sample site is in ${folder}; its configurations are called ${names.join(', ')}.`,
      `Try: ${PREFIX} run "Check the meta description of page 42" --configuration sample`,
      `And: ${PREFIX} run "Keep crawlers out of /search/" --configuration sample-files`,
      `And, to be asked something: ${PREFIX} run "Rename page 42" --configuration sample-questions`,
    ]);
    return EXIT.ok;
  },
};

export const key: Command = {
  usage: '[--recovery-code | --restore CODE]',
  summary: 'How the data key is kept; its recovery code; rebuild a lost key file',
  options: { 'recovery-code': { type: 'boolean' }, restore: { type: 'string' } },
  run(invocation) {
    const paths = installationPaths(invocation.databasePath);
    const code = textOption(invocation, 'restore');
    if (code !== undefined) {
      if (existsSync(paths.key))
        throw new UsageError(`${paths.key} exists. Move it away first; a key in use is never overwritten.`);
      restoreKey(invocation.databasePath, code);
    }
    const { installation } = invocation.open();
    const shown = invocation.options['recovery-code'] ? recoveryCode(installation.dataKey) : null;
    invocation.answer({ keyFile: paths.key, protection: installation.keyProtection, recoveryCode: shown }, [
      `Key file ${paths.key}, ${installation.keyProtection === 'none' ? 'NOT protected by a passphrase: who can read it can read everything' : 'protected by a passphrase'}.`,
      ...(shown
        ? [`Recovery code: ${shown}`, 'Keep it on paper or in a safe: whoever has it can open everything.']
        : []),
    ]);
    return Promise.resolve(EXIT.ok);
  },
};

import { resolve } from 'node:path';
import { addSample } from '../compose.ts';
import { EXIT, onlyPositional, PREFIX, type Command } from './command.ts';
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

import { resolve } from 'node:path';
import { diagnostics as collect } from '../compose-care.ts';
import { EXIT, integerOption, UsageError, type Command } from './command.ts';
import { writeNew } from './new-file.ts';

export const diagnostics: Command = {
  usage: '[FILE] [--with-labels] [--log-lines N]',
  summary: 'Write what somebody needs who is to help into one file, without the content of any run',
  options: { 'with-labels': { type: 'boolean' }, 'log-lines': { type: 'string' } },
  async run(invocation) {
    const [file, ...more] = invocation.positionals;
    if (more.length > 0) throw new UsageError('Only one FILE is expected.');
    const logLines = integerOption(invocation, 'log-lines', 200, 0, 100_000);
    const withLabels = invocation.options['with-labels'] === true;
    const opened = invocation.open();
    const bundle = await collect(opened, logLines, withLabels);
    const path = resolve(file ?? `countersign-diagnostics-${stamp(opened.clock.nowMs())}.json`);
    writeNew(path, `${JSON.stringify(bundle, null, 2)}\n`);
    const sections = Object.entries(bundle).map(([name, value]) =>
      Array.isArray(value) ? `${name} (${value.length})` : name,
    );
    invocation.answer({ file: path, sections: Object.keys(bundle), withLabels }, [
      `Written to ${path}, readable by your account only. It was sent nowhere.`,
      `In it: ${sections.join(', ')}.`,
      `Not in it: prompts, arguments, results, answers, targets, keys${withLabels ? '' : ', labels of runs'}. What went wrong may name folders of this machine. Read it before you pass it on.`,
    ]);
    return EXIT.ok;
  },
};

const stamp = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

import { verifyInstallation } from '../compose.ts';
import { EXIT, type Command } from './command.ts';

export const verify: Command = {
  usage: '',
  summary: 'Recompute the audit chain of the whole file; exit 1 when it does not hold',
  options: {},
  run(invocation) {
    const report = verifyInstallation(invocation.open());
    const isWhole = report.problems.length === 0;
    invocation.answer({ chainVerified: isWhole, ...report }, [
      `${report.runs} runs, ${report.events} events, ${report.changes} changes`,
      ...report.problems.slice(0, MAX_SHOWN).map(({ where, problem }) => `  ${where}: ${problem}`),
      ...(report.problems.length > MAX_SHOWN ? [`  and ${report.problems.length - MAX_SHOWN} more`] : []),
      isWhole ? 'The chain holds.' : 'The chain does NOT hold: somebody or something changed this file.',
    ]);
    return Promise.resolve(isWhole ? EXIT.ok : EXIT.refused);
  },
};

const MAX_SHOWN = 20;

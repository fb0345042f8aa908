import { existsSync } from 'node:fs';
import { verifyInstallation } from '../compose.ts';
import { installationPaths } from '../system/paths.ts';
import { EXIT, UsageError, type Command } from './command.ts';

export const verify: Command = {
  usage: '',
  summary: 'Recompute the audit chain of the whole file; exit 1 when it does not hold',
  options: {},
  run(invocation) {
    const { database } = installationPaths(invocation.databasePath);
    // Opening would create one, and an empty file verifies: that must not look like proof.
    if (!existsSync(database)) throw new UsageError(`There is no database ${database}.`);
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

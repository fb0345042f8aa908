import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { verifyInstallation } from '../compose.ts';
import { checkHeadList, compareKeptHeads } from '../compose-care.ts';
import { EXIT, textOption, UsageError, type Command, type Invocation } from './command.ts';

export const verify: Command = {
  usage: '[--heads FILE [--public-key KEY]]',
  summary: 'Recompute the audit chain of the whole file; exit 1 when it does not hold',
  options: { heads: { type: 'string' }, 'public-key': { type: 'string' } },
  run(invocation) {
    const file = textOption(invocation, 'heads');
    const publicKey = textOption(invocation, 'public-key');
    if (file === '') throw new UsageError('--heads names no file.');
    if (publicKey !== undefined && file === undefined) throw new UsageError('--public-key needs a list: --heads FILE.');
    const ends =
      file !== undefined && publicKey !== undefined
        ? verifyListAlone(invocation, file, publicKey)
        : verifyFile(invocation, file);
    return Promise.resolve(ends);
  },
};

interface Problem {
  where: string;
  problem: string;
}

/** The database and, if one is named, the list of heads that is kept elsewhere; new heads are added to a list that fits. */
function verifyFile(invocation: Invocation, file: string | undefined): number {
  const opened = invocation.open();
  const { problems, ...figures } = verifyInstallation(opened);
  const kept = file === undefined ? null : compareKeptHeads(opened, existsSync(file) ? readFileSync(file, 'utf8') : '');
  if (file !== undefined && !kept) throw new UsageError(`${file} is no list of heads; nothing was changed.`);
  const all = [...problems, ...(kept?.problems ?? [])];
  const isWhole = all.length === 0;
  const added = kept && isWhole ? kept.newLines : [];
  if (file !== undefined && added.length > 0) appendFileSync(file, `${added.join('\n')}\n`, { mode: 0o600 });
  invocation.answer(
    { chainVerified: isWhole, ...figures, problems: all, ...(kept ? { compared: kept.compared } : {}) },
    [
      `${figures.runs} runs, ${figures.events} events, ${figures.changes} changes, ${figures.heads} signed heads, ${figures.receipts} receipts`,
      ...(figures.publicKey ? [`Public key ${figures.publicKey}`] : []),
      ...(kept
        ? [`${kept.compared} heads of ${file} compared, ${added.length > 0 ? 'the new ones added' : 'none added'}`]
        : []),
      ...shown(all),
      isWhole ? 'The chain holds.' : 'The chain does NOT hold: somebody or something changed this file.',
    ],
  );
  return isWhole ? EXIT.ok : EXIT.refused;
}

/** A list of heads and nothing else: for somebody who has neither the database nor its key. */
function verifyListAlone(invocation: Invocation, file: string, publicKey: string): number {
  const checked = existsSync(file) ? checkHeadList(readFileSync(file, 'utf8'), publicKey) : null;
  if (!checked) throw new UsageError(`${file} is no list of heads, or --public-key is no key.`);
  const isWhole = checked.problems.length === 0;
  invocation.answer({ listVerified: isWhole, ...checked }, [
    `${checked.heads} signed heads`,
    ...shown(checked.problems),
    isWhole ? 'Every head of the list is signed with this key.' : 'The list does NOT hold.',
  ]);
  return isWhole ? EXIT.ok : EXIT.refused;
}

const shown = (problems: Problem[]): string[] => [
  ...problems.slice(0, MAX_SHOWN).map(({ where, problem }) => `  ${where}: ${problem}`),
  ...(problems.length > MAX_SHOWN ? [`  and ${problems.length - MAX_SHOWN} more`] : []),
];

const MAX_SHOWN = 20;

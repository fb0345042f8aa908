import { previewPurge, purge as purgeNow, type PurgeOrder } from '../compose-care.ts';
import { EXIT, integerOption, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';
import { localTime } from './terminal-text.ts';

export const purge: Command = {
  usage: '[--older-than-days N] [--dry-run] [--limit N]',
  summary: 'Delete runs that ended long ago, as an administrator; --dry-run only says what would go',
  options: { 'older-than-days': { type: 'string' }, 'dry-run': { type: 'boolean' }, limit: { type: 'string' } },
  run(invocation) {
    // Judged before anything is opened: a window that is no number of days must not become another one.
    const order: PurgeOrder = {
      askedDays: optionalInteger(invocation, 'older-than-days', 36_500),
      most: optionalInteger(invocation, 'limit', 1_000_000_000),
    };
    return invocation.options['dry-run'] === true ? preview(invocation, order) : carryOut(invocation, order);
  },
};

const optionalInteger = (invocation: Invocation, name: string, maximum: number): number | null =>
  invocation.options[name] === undefined ? null : integerOption(invocation, name, 1, 1, maximum);

async function preview(invocation: Invocation, order: PurgeOrder): Promise<number> {
  const going = await previewPurge(invocation.open(), order);
  const { runs, events, bytes, oldestMs, newestMs, expiring } = going;
  invocation.answer(going, [
    runs === 0
      ? 'No run would be deleted.'
      : `Would delete ${runs} runs with ${events} events, ${Math.ceil(bytes / 1024)} KB, that ended from ${localTime(oldestMs)} to ${localTime(newestMs)}.`,
    ...(expiring > 0 ? [`Would end ${expiring} runs whose question nobody answered in time; they stay.`] : []),
    'Nothing was changed.',
  ]);
  return EXIT.ok;
}

async function carryOut(invocation: Invocation, order: PurgeOrder): Promise<number> {
  const purged = await purgeNow(invocation.open(), order);
  if (!purged.ok) return refuse(invocation, purged.refusal);
  const { runs, events, expired } = purged.value;
  invocation.answer(purged.value, [
    `Deleted ${runs} runs with ${events} events. The record has a mark for each; the freed space is used for new runs.`,
    ...(expired > 0 ? [`Ended ${expired} runs whose question nobody answered in time.`] : []),
  ]);
  return EXIT.ok;
}

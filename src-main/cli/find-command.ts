import { MAX_PAGE_LENGTH, MAX_SEARCH_LENGTH } from '../../src-shared/run-limits.ts';
import { EXACT_COUNT } from '../../src-shared/views/run-search-view.ts';
import { RUN_STATUSES, STATUS_GROUPS, type RunStatus, type StatusGroup } from '../../src-shared/vocabulary.ts';
import { openSearch } from '../compose.ts';
import { keyOf } from '../ipc/page-cursor.ts';
import { searchView } from '../ipc/search-handlers.ts';
import { findRuns } from '../runtime/find-runs.ts';
import { EXIT, integerOption, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { runLine } from './run-text.ts';

const DAY_MS = 86_400_000;

export const find: Command = {
  usage:
    '[TEXT] [--status S] [--tool NAME] [--target NAME] [--configuration NAME] [--initiator NAME] [--days N] [--limit N] [--after CURSOR]',
  summary: 'Find runs by what they are about, who started them and how they stand, the newest first',
  options: {
    status: { type: 'string' },
    tool: { type: 'string' },
    target: { type: 'string' },
    configuration: { type: 'string' },
    initiator: { type: 'string' },
    days: { type: 'string' },
    limit: { type: 'string' },
    after: { type: 'string' },
  },
  async run(invocation) {
    const text = searchedText(invocation);
    const after = textOption(invocation, 'after');
    const beforeKey = after === undefined ? null : keyOf(after);
    if (after !== undefined && beforeKey === null)
      throw new UsageError('--after takes what the page before ends with.');
    const limit = integerOption(invocation, 'limit', 50, 1, MAX_PAGE_LENGTH);
    const days = integerOption(invocation, 'days', 0, 1, 36_500);
    const status = wantedStatus(textOption(invocation, 'status'));
    const opened = invocation.open();
    const search = openSearch(opened, invocation.callerUrl);
    try {
      const wanted = {
        text,
        ...status,
        tool: textOption(invocation, 'tool') ?? null,
        target: textOption(invocation, 'target') ?? null,
        configuration: textOption(invocation, 'configuration') ?? null,
        initiator: textOption(invocation, 'initiator') ?? null,
        sinceMs: days === 0 ? null : opened.clock.nowMs() - days * DAY_MS,
        beforeKey,
        limit,
        withFacets: false,
      };
      const { store } = opened.installation;
      const page = searchView(await findRuns({ store, search, report: opened.report }, opened.actor, wanted));
      const { runs, count, next } = page;
      invocation.answer({ runs, count, next }, [
        ...(runs.length > 0 ? runs.map((run) => runLine(run, opened.clock.nowMs())) : ['No run fits.']),
        ...(next === null
          ? []
          : [
              '',
              `${count > EXACT_COUNT ? `More than ${EXACT_COUNT}` : count} from here on. Go on with: --after ${next}`,
            ]),
      ]);
      return EXIT.ok;
    } finally {
      await search.close();
    }
  },
};

function searchedText({ positionals }: Invocation): string | null {
  const text = positionals.join(' ');
  if (text.length > MAX_SEARCH_LENGTH)
    throw new UsageError(`At most ${MAX_SEARCH_LENGTH} characters can be looked for.`);
  return text === '' ? null : text;
}

/** A group of statuses, written with a dash or a line below, or one status. Faults: `UsageError`. */
function wantedStatus(word: string | undefined): { group: StatusGroup | null; status: RunStatus | null } {
  if (word === undefined) return { group: null, status: null };
  const name = word.replaceAll('-', '_');
  const group = STATUS_GROUPS.find((each) => each === name) ?? null;
  const status = RUN_STATUSES.find((each) => each === name) ?? null;
  if (!group && !status) throw new UsageError(`--status is one of ${[...STATUS_GROUPS, ...RUN_STATUSES].join(', ')}.`);
  return { group, status };
}

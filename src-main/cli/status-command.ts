import { HEALTH_DEFAULTS, isHealthy } from '../domain/health-rules.ts';
import { EXIT, integerOption, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { restoredLine } from './restored-commands.ts';
import { localTime } from './terminal-text.ts';

const FAR = 1_000_000_000;

export const status: Command = {
  usage: '[--max-wait SECONDS] [--min-workers N] [--max-age SECONDS] [--transport NAME] [--counts [--since TIME]]',
  summary: 'Health of queue and workers, exit 0 healthy, 1 unhealthy; or how many runs there are',
  options: {
    'max-wait': { type: 'string' },
    'min-workers': { type: 'string' },
    'max-age': { type: 'string' },
    transport: { type: 'string' },
    counts: { type: 'boolean' },
    since: { type: 'string' },
  },
  async run(invocation) {
    // Options are judged before anything is opened: a wrong call asks nothing (runtime.md §20).
    const limits = {
      maxWaitSeconds: integerOption(invocation, 'max-wait', HEALTH_DEFAULTS.maxWaitSeconds, 0, FAR),
      minWorkers: integerOption(invocation, 'min-workers', HEALTH_DEFAULTS.minWorkers, 0, FAR),
    };
    const maxAge = integerOption(invocation, 'max-age', HEALTH_DEFAULTS.maxAgeSeconds, 1, FAR);
    const transport = textOption(invocation, 'transport') ?? null;
    if (transport !== null && !/^[A-Za-z0-9_.-]{1,64}$/.test(transport)) {
      throw new UsageError('--transport is 1 to 64 letters, digits, dots, dashes or underscores.');
    }
    const sinceMs = sinceOption(invocation);
    return invocation.options.counts
      ? answerCounts(invocation, sinceMs)
      : answerHealth(invocation, limits, maxAge * 1000, transport);
  },
};

/** Milliseconds since 1970; 0 when not named. Faults: `UsageError`. */
function sinceOption(invocation: Invocation): number {
  const text = textOption(invocation, 'since');
  if (text === undefined) return 0;
  if (!invocation.options.counts) throw new UsageError('--since belongs to --counts.');
  const sinceMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(sinceMs)) throw new UsageError('--since is a time such as 2026-01-31 or 2026-01-31T08:00:00Z.');
  return sinceMs;
}

async function answerHealth(
  invocation: Invocation,
  limits: Parameters<typeof isHealthy>[1],
  workerMaxAgeMs: number,
  transport: string | null,
): Promise<number> {
  const opened = invocation.open();
  const health = await opened.installation.store.health({ nowMs: opened.clock.nowMs(), workerMaxAgeMs, transport });
  // Under --json the keys are those of the specification and no more.
  const answer = {
    queued: health.queued,
    running: health.running,
    dead_lettered: health.deadLettered,
    expired_leases: health.expiredLeases,
    oldest_queue_wait_seconds: health.oldestQueueWaitSeconds,
    unknown_queue_wait: health.unknownQueueWait,
    live_workers: health.liveWorkers,
    healthy: isHealthy(health, limits),
  };
  const paused = await opened.runtime.pause();
  const restored = await opened.runtime.restoredRuns();
  invocation.answer(answer, [
    ...Object.entries(answer).map(([name, value]) => figure(name, shown(value))),
    ...(restored.length > 0 ? [restoredLine(restored.length)] : []),
    // Without the person's name: nobody stands in what monitoring collects.
    ...(paused.isPaused ? [`Everything is paused since ${localTime(paused.atMs)}. Go on with: resume`] : []),
  ]);
  return answer.healthy ? EXIT.ok : EXIT.refused;
}

async function answerCounts(invocation: Invocation, sinceMs: number): Promise<number> {
  const { byStatus, byEndReason, live } = await invocation.open().installation.store.runCounts(sinceMs);
  invocation.answer({ by_status: byStatus, by_end_reason: byEndReason, live }, [
    ...table(sinceMs > 0 ? `Runs since ${localTime(sinceMs)}` : 'Runs', byStatus),
    ...table('Ended because', byEndReason),
    ...table('Alive now, however old', live),
  ]);
  return EXIT.ok;
}

const table = (title: string, counts: Record<string, number>): string[] => [
  title,
  ...Object.entries(counts).map(([name, count]) => `  ${figure(name, String(count))}`),
];

const figure = (name: string, value: string): string => `${name.padEnd(26)} ${value}`;

function shown(value: number | boolean | null): string {
  if (value === null) return 'unknown';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

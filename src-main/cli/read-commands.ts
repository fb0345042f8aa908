import { runView } from '../ipc/run-view.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { EXIT, integerOption, onlyPositional, textOption, UsageError, type Command } from './command.ts';
import { answerRun, refuse } from './run-commands.ts';
import type { NamedPause } from '../runtime/runtime.ts';
import { restoredLine } from './restored-commands.ts';
import { eventLine, runLine } from './run-text.ts';
import { localTime } from './terminal-text.ts';

const pausedLine = ({ operatorName, atMs }: NamedPause): string =>
  plainLine(
    `Everything is paused by ${operatorName || 'somebody who is gone'} since ${localTime(atMs)}. Go on with: resume`,
  );

export const inbox: Command = {
  usage: '',
  summary: 'List the runs that wait for a decision, oldest first, and writes that need a look',
  options: {},
  async run(invocation) {
    const opened = invocation.open();
    const waiting = (await opened.runtime.inbox(opened.actor)).map(runView);
    const uncertain = await opened.runtime.uncertainWrites(opened.actor);
    const paused = await opened.runtime.pause();
    const restored = await opened.runtime.restoredRuns();
    invocation.answer({ waiting, uncertainWrites: uncertain, paused, restored: restored.length }, [
      ...(paused.isPaused ? [pausedLine(paused), ''] : []),
      ...(restored.length > 0 ? [restoredLine(restored.length), ''] : []),
      ...(waiting.length > 0 ? waiting.map(runLine) : ['Nothing waits for a decision.']),
      ...(uncertain.length > 0 ? ['', 'Writes whose outcome is unknown — check the record by hand:'] : []),
      ...uncertain.map((write) =>
        plainLine(
          `  run ${write.runId}  call ${write.callId}  ${write.toolName}  ${JSON.stringify(write.target)}  (${write.cause})`,
        ),
      ),
    ]);
    return EXIT.ok;
  },
};

export const show: Command = {
  usage: 'RUN',
  summary: 'Show the card of a waiting run, or how a run stands',
  options: {},
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const opened = invocation.open();
    const record = await opened.runtime.status(opened.actor, runId);
    if (!record) return refuse(invocation, { kind: 'unknown_run' });
    await answerRun(invocation, opened, record);
    return EXIT.ok;
  },
};

export const events: Command = {
  usage: 'RUN [--after SEQUENCE]',
  summary: 'List what happened to a run, in order',
  options: { after: { type: 'string' } },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const after = integerOption(invocation, 'after', -1, 0, Number.MAX_SAFE_INTEGER);
    const opened = invocation.open();
    if (!(await opened.runtime.status(opened.actor, runId))) return refuse(invocation, { kind: 'unknown_run' });
    const list = await opened.runtime.events(opened.actor, runId, after);
    invocation.answer(list, list.map(eventLine));
    return EXIT.ok;
  },
};

export const status: Command = {
  usage: '[--max-queue-wait SECONDS] [--min-workers N] [--worker-max-age SECONDS] [--transport NAME]',
  summary: 'Health of queue and workers; exit 0 healthy, 1 unhealthy',
  options: {
    'max-queue-wait': { type: 'string' },
    'min-workers': { type: 'string' },
    'worker-max-age': { type: 'string' },
    transport: { type: 'string' },
  },
  async run(invocation) {
    // Options are judged before anything is opened: a wrong call asks nothing (runtime.md §20).
    const maxWait = integerOption(invocation, 'max-queue-wait', 300, 0, 1_000_000_000);
    const minWorkers = integerOption(invocation, 'min-workers', 1, 0, 1_000);
    const maxAge = integerOption(invocation, 'worker-max-age', 120, 1, 1_000_000_000);
    const transport = textOption(invocation, 'transport') ?? null;
    if (transport !== null && !/^[A-Za-z0-9_.-]{1,64}$/.test(transport)) {
      throw new UsageError('--transport is 1 to 64 letters, digits, dots, dashes or underscores.');
    }
    const opened = invocation.open();
    const health = await opened.installation.store.health({
      nowMs: opened.clock.nowMs(),
      workerMaxAgeMs: maxAge * 1000,
      transport,
    });
    const isHealthy =
      health.expiredLeases === 0 &&
      health.unknownQueueWait === 0 &&
      (health.oldestQueueWaitSeconds === null || health.oldestQueueWaitSeconds <= maxWait) &&
      health.liveWorkers >= minWorkers;
    const answer = {
      queued: health.queued,
      running: health.running,
      dead_lettered: health.deadLettered,
      expired_leases: health.expiredLeases,
      oldest_queue_wait_seconds: health.oldestQueueWaitSeconds,
      unknown_queue_wait: health.unknownQueueWait,
      live_workers: health.liveWorkers,
      healthy: isHealthy,
    };
    const shown = (value: number | boolean | null): string =>
      value === null ? 'unknown' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
    const paused = await opened.runtime.pause();
    const restored = await opened.runtime.restoredRuns();
    // Under --json the keys are those of the specification and no more.
    invocation.answer(answer, [
      ...Object.entries(answer).map(([name, value]) => `${name.padEnd(26)} ${shown(value)}`),
      ...(paused.isPaused ? [pausedLine(paused)] : []),
      ...(restored.length > 0 ? [restoredLine(restored.length)] : []),
    ]);
    return isHealthy ? EXIT.ok : EXIT.refused;
  },
};

import { listedRunView } from '../ipc/run-view.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { EXIT, integerOption, onlyPositional, type Command } from './command.ts';
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
    const waiting = (await opened.runtime.inbox(opened.actor)).map(listedRunView);
    const nowMs = opened.clock.nowMs();
    const uncertain = await opened.runtime.uncertainWrites(opened.actor);
    const paused = await opened.runtime.pause();
    const restored = await opened.runtime.restoredRuns();
    invocation.answer({ waiting, uncertainWrites: uncertain, paused, restored: restored.length }, [
      ...(paused.isPaused ? [pausedLine(paused), ''] : []),
      ...(restored.length > 0 ? [restoredLine(restored.length), ''] : []),
      ...(waiting.length > 0 ? waiting.map((run) => runLine(run, nowMs)) : ['Nothing waits for a decision.']),
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
    // Who may decide a run has to see its card, also of one whose result they may not read.
    const detail = await opened.runtime.detail(opened.actor, runId);
    if (!detail) return refuse(invocation, { kind: 'unknown_run' });
    await answerRun(invocation, opened, detail.run);
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
    // Who may decide a run follows it while it waits for them.
    const { runtime, actor } = opened;
    const followed = (await runtime.status(actor, runId)) ?? (await runtime.pendingDecision(actor, runId));
    if (!followed) return refuse(invocation, { kind: 'unknown_run' });
    const list = await runtime.timeline(actor, runId, after);
    invocation.answer(list, list.map(eventLine));
    return EXIT.ok;
  },
};

import { runView } from '../ipc/run-view.ts';
import { EXIT, onlyPositional, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';
import { localTime } from './terminal-text.ts';

export const pause: Command = {
  usage: '',
  summary: 'Pause everything: no run is taken and no write starts, in all processes, until resume',
  options: {},
  run: (invocation) => setPause(invocation, true),
};

export const resume: Command = {
  usage: '',
  summary: 'End the pause',
  options: {},
  run: (invocation) => setPause(invocation, false),
};

async function setPause(invocation: Invocation, isPaused: boolean): Promise<number> {
  const opened = invocation.open();
  const result = await opened.runtime.setPause(opened.actor, isPaused);
  if (!result.ok) return refuse(invocation, result.refusal);
  const since = localTime(result.value.atMs);
  invocation.answer(result.value, [
    isPaused
      ? `Everything is paused since ${since}. A write that had begun finishes; people can go on deciding.`
      : 'Nothing is paused.',
  ]);
  return EXIT.ok;
}

export const retry: Command = {
  usage: 'RUN',
  summary: 'Try a run at once that waits for its next try or for its model server',
  options: {},
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const opened = invocation.open();
    const retried = await opened.runtime.retry(opened.actor, runId);
    if (!retried.ok) return refuse(invocation, retried.refusal);
    invocation.answer(runView(retried.value), ['The run is due now.']);
    return EXIT.ok;
  },
};

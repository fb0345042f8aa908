import { EXIT, onlyPositional, UsageError, type Command, type Invocation } from './command.ts';
import { refuse } from './run-commands.ts';

/** Why runs are held, and what to do. */
export const restoredLine = (runs: number): string =>
  `This database was put back from a copy: ${runs} ${runs === 1 ? 'run is' : 'runs are'} held, because they may have gone on elsewhere. Look at each, then: release RUN — or: release --all`;

export const release: Command = {
  usage: 'RUN | --all',
  summary: 'Let a run go on that is held because the database was put back from a copy',
  options: { all: { type: 'boolean' } },
  run(invocation) {
    const isAll = invocation.options.all === true;
    if (isAll && invocation.positionals.length > 0) throw new UsageError('Name a run, or give --all.');
    return isAll ? releaseAll(invocation) : releaseOne(invocation);
  },
};

async function releaseOne(invocation: Invocation): Promise<number> {
  const runId = onlyPositional(invocation, 'RUN');
  const opened = invocation.open();
  const released = await opened.runtime.release(opened.actor, runId);
  if (!released.ok) return refuse(invocation, released.refusal);
  invocation.answer({ released: [runId] }, ['The run goes on from where the copy has it.']);
  return EXIT.ok;
}

/** One after the other, each with its own event; what ended meanwhile is left out. */
async function releaseAll(invocation: Invocation): Promise<number> {
  const opened = invocation.open();
  const released: string[] = [];
  for (const runId of await opened.runtime.restoredRuns()) {
    const result = await opened.runtime.release(opened.actor, runId);
    if (result.ok) released.push(runId);
    else if (result.refusal.kind !== 'not_restored') return refuse(invocation, result.refusal);
  }
  invocation.answer({ released }, [
    released.length === 0 ? 'No run is held for having been restored.' : `Released ${released.length}.`,
  ]);
  return EXIT.ok;
}

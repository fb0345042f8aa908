import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { UncertainWriteView } from '../../src-shared/views/inbox-view.ts';
import type { Actor } from '../domain/actor.ts';
import type { InboxOverview } from '../runtime/inbox-overview.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { listedRunView } from './run-view.ts';

/** The first screen, for one signed-in person. */
export function createInboxHandlers(runtime: Runtime, actor: Actor): Pick<Handlers, 'inbox.overview'> {
  return {
    async 'inbox.overview'({ waitingLimit }) {
      const { waiting, active, recent, uncertainWrites, counts } = await runtime.overview(actor, waitingLimit);
      return {
        waiting: waiting.map(listedRunView),
        active: active.map(listedRunView),
        recent: recent.map(listedRunView),
        uncertainWrites: uncertainWrites.map(uncertainWriteView),
        counts,
      };
    },
  };
}

function uncertainWriteView(entry: InboxOverview['uncertainWrites'][number]): UncertainWriteView {
  const { runId, callId, toolName, effect, target, cause, noticedAtMs } = entry;
  return { runId, callId, toolName, effect, target, cause, noticedAtMs };
}

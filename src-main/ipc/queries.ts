import type { RunView } from '../../src-shared/views/run-view.ts';
import type { Actor } from '../domain/actor.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { runView } from './run-view.ts';

/** What a page may ask, by name. Both transports answer from this table; the actor is the host's session, never the page's word. */
export type Queries = Record<string, () => Promise<unknown>>;

export function createQueries(runtime: Runtime, actor: Actor): Queries {
  return {
    'inbox.waiting': async (): Promise<RunView[]> => (await runtime.inbox(actor)).map(runView),
  };
}

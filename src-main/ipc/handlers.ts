import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { Actor } from '../domain/actor.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createConfigurationHandlers, type ConfigurationDesk } from './configuration-handlers.ts';
import { createHostHandlers, type HostFacts } from './host-handlers.ts';
import { createInboxHandlers } from './inbox-handlers.ts';
import { createRunHandlers } from './run-handlers.ts';
import { createSearchHandlers, type FindRuns } from './search-handlers.ts';

export interface HandlerPorts extends ConfigurationDesk {
  /** Who is signed in at this host: never taken from a message. */
  actor: Actor;
  runtime: Runtime;
  findRuns: FindRuns;
  host: HostFacts;
}

/** The host's answer to every call of the contract, for one signed-in person. */
export function createHandlers({ actor, runtime, findRuns, host, ...desk }: HandlerPorts): Handlers {
  return {
    ...createRunHandlers(runtime, actor, host.surface),
    ...createSearchHandlers(findRuns),
    ...createInboxHandlers(runtime, actor),
    ...createConfigurationHandlers(desk, actor),
    ...createHostHandlers(runtime, actor, host),
  };
}

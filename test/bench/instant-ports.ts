import type { ModelClient, ModelRequest } from '../../src-main/domain/model-client.ts';
import { createBreakers } from '../../src-main/runtime/breakers.ts';
import type { SegmentPorts } from '../../src-main/runtime/segment-ports.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createWorld, createWorldTools, type World } from '../support/tool-world.ts';

/** What a segment of the bench works with: the real store; a model and a tool that answer at once and touch no disk. */
export interface InstantPorts {
  ports: SegmentPorts;
  /** Where the tool writes. */
  world: World;
}

/** The first fault ends the process: figures of a run that failed would be figures of something else. */
function report(error: unknown, where: string): never {
  console.error(where, error);
  process.exit(1);
}

export function instantPorts(store: RunStore): InstantPorts {
  const world = createWorld();
  const { tools, catalogue } = createWorldTools(world, report);
  const ports: SegmentPorts = {
    store,
    tools,
    catalogue,
    modelFor: async () => INSTANT_MODEL,
    breakers: createBreakers(systemClock.monotonicMs),
    clock: systemClock,
    protectedPaths: [],
    report,
    crashPoint: () => undefined,
  };
  return { ports, world };
}

/** Proposes one write, then says what became of it. */
const INSTANT_MODEL: ModelClient = {
  async *complete(request) {
    const last = request.messages.at(-1);
    if (last?.role === 'tool') yield { type: 'text', text: `It is over: ${last.content}` };
    else yield { type: 'text', text: 'I propose a better title.' };
    if (last?.role !== 'tool') yield { type: 'call', call: proposal(request) };
    yield { type: 'finish', reason: 'stop', inputTokens: 420, outputTokens: 36, costMicros: 1_200 };
  },
};

/** Each run writes a record of its own, so that no approval comes back because another run was faster. */
function proposal({ runId }: ModelRequest): { id: string; name: string; argumentsText: string } {
  const args = { key: runId, value: 'Opening hours and how to reach us' };
  return { id: `call_${runId.slice(0, 8)}`, name: 'set_x', argumentsText: JSON.stringify(args) };
}

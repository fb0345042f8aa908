/* What makes previews outside a worker: for a person who edits a card. Executes nothing. */
import { randomUUID } from 'node:crypto';
import type { Console } from './compose.ts';
import type { EditPorts } from './runtime/edit-card.ts';
import { siblingEntry } from './system/entry-path.ts';
import { forkNodeChild } from './tools/child-channel.ts';
import { ProcessToolRunner } from './tools/process-tool-runner.ts';

/** The tool processes stand beside the start that asks, are started by the first preview and ended by `close`. */
export function openPlanner(opened: Console, callerUrl: string): EditPorts & { close(): Promise<void> } {
  const { installation, catalogue, clock, report, crashPointSetting } = opened;
  const { store, paths } = installation;
  const tools = new ProcessToolRunner({
    catalogue,
    aliveDir: paths.workers,
    workerId: `planner-${randomUUID()}`,
    forkChild: forkNodeChild(siblingEntry(callerUrl, 'tool-child'), crashPointSetting),
    report: (fault) => report(fault, `tool ${fault.toolName}`),
  });
  return { store, catalogue, clock, tools, protectedPaths: paths.protected, close: () => tools.close() };
}

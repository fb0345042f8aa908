import { CRASH_POINT_VARIABLE } from '../system/crash-point-setting.ts';
import { forkNode, type ForkedProcess } from '../system/node-fork.ts';
import { ALIVE_FILE_VARIABLE, WORKER_PID_VARIABLE } from './tool-protocol.ts';

/** A child process as the runner sees it. */
export type ChildLike = Pick<ForkedProcess<unknown, unknown>, 'send' | 'onMessage' | 'onExit' | 'kill'>;

/** Starts a tool child that takes its proof of life at `aliveFile`. */
export type ForkChild = (aliveFile: string) => ChildLike;

/** Starts tool children as Node processes. `entry` is the file of tool-child; `crashPoint` is what the host allows (null = nothing). */
export function forkNodeChild(entry: string, crashPoint: string | null = null): ForkChild {
  return (aliveFile) =>
    forkNode(entry, {
      [ALIVE_FILE_VARIABLE]: aliveFile,
      [WORKER_PID_VARIABLE]: String(process.pid),
      ...(crashPoint ? { [CRASH_POINT_VARIABLE]: crashPoint } : {}),
    });
}

import { forkNode, type ForkedProcess } from '../system/node-fork.ts';
import { ALIVE_FILE_VARIABLE, WORKER_PID_VARIABLE } from './tool-protocol.ts';

/** A child process as the runner sees it. */
export type ChildLike = Pick<ForkedProcess<unknown, unknown>, 'send' | 'onMessage' | 'onExit' | 'kill'>;

/** Starts a tool child that takes its proof of life at `aliveFile`. */
export type ForkChild = (aliveFile: string) => ChildLike;

/** Starts tool children as Node processes. `entry` is the file of tool-child. */
export function forkNodeChild(entry: string): ForkChild {
  return (aliveFile) =>
    forkNode(entry, { [ALIVE_FILE_VARIABLE]: aliveFile, [WORKER_PID_VARIABLE]: String(process.pid) });
}

import { holdAliveLock } from './system/alive-lock.ts';
import { BUILTIN_TOOLS } from './tools/builtin-tools.ts';
import { buildRegistry } from './tools/registry.ts';
import { startToolChild } from './tools/start-tool-child.ts';

/*
 * The tool child: the process in which tools run. It takes its proof of life before
 * it says that it is ready, works on one request at a time, and ends with its worker.
 */
startToolChild(buildRegistry(BUILTIN_TOOLS), holdAliveLock);

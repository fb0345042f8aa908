import { holdAliveLock } from './system/alive-lock.ts';
import { CRASH_POINT_VARIABLE } from './system/crash-point-setting.ts';
import { environmentVariable } from './system/environment.ts';
import { BUILTIN_TOOLS } from './tools/builtin-tools.ts';
import { buildRegistry } from './tools/registry.ts';
import { startToolChild } from './tools/start-tool-child.ts';
import { createCrashPoint } from './workers/crash-points.ts';

/*
 * The tool child: the process in which tools run. It takes its proof of life before
 * it says that it is ready, works on one request at a time, and ends with its worker.
 */
// Set by the worker alone, which has it from its host; this process inherits none.
const crashPoint = createCrashPoint(environmentVariable(CRASH_POINT_VARIABLE));
startToolChild(buildRegistry(BUILTIN_TOOLS), holdAliveLock, () => crashPoint('after_effect_before_answer'));

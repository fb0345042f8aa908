import { forkNodeChild } from '../../src-main/tools/child-channel.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { ProcessToolRunner } from '../../src-main/tools/process-tool-runner.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';

/*
 * A worker for tests that are about its death: starts a child, waits for the word
 * `go` on its input, then plans and executes one call given as JSON in its arguments.
 */
const [entry = '', aliveDir = '', contextJson = '', callJson = ''] = process.argv.slice(2);
const runner = new ProcessToolRunner({
  forkChild: forkNodeChild(entry),
  aliveDir,
  workerId: 'worker-1',
  catalogue: buildRegistry(BUILTIN_TOOLS),
  report: () => undefined,
  maxChildren: 1,
});
const context = JSON.parse(contextJson);
const call = JSON.parse(callJson);
const [planned] = await runner.planTurn([call], context);
process.stdout.write('planned\n');
process.stdin.once('data', () => {
  void runner.execute(call, context, planned?.footprint ?? null).then((result) => {
    process.stdout.write(`${JSON.stringify(result)}\n`);
  });
  process.stdout.write('sent\n');
});

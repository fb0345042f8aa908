/* Writes `count` entries to one log as fast as it can; started twice, by the test of a log that processes share. */
import { createFileLog } from '../../src-main/system/log.ts';

const [path = '', name = '', count = '', maxBytes = '', files = ''] = process.argv.slice(2);
const report = createFileLog({
  path,
  level: 'warn',
  nowMs: Date.now,
  rotation: { maxBytes: Number(maxBytes), files: Number(files) },
});
for (let number = 0; number < Number(count); number += 1) report({ warning: 'entry', number }, name);

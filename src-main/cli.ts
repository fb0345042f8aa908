/*
 * The command line. It opens the file itself: a decision is one transaction, so it
 * does not matter which process makes it.
 */
import { runProgram } from './cli/program.ts';

// The reader of a pipe has enough, e.g. `… | head`: that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process.argv.slice(2), import.meta.url);

/*
 * The command line. It opens the file itself: a decision is one transaction, so it
 * does not matter which process makes it.
 */
import { runProgram } from './cli/program.ts';

process.exitCode = await runProgram(process.argv.slice(2), import.meta.url);

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from './processes.mjs';
import { StepFailure, tail } from './step-failure.mjs';

/**
 * True when a program of this name is in a folder of the PATH.
 *
 * @param {string} name
 */
export const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/**
 * Installs packages on Debian and Ubuntu as root. Everybody else gets a failure with the one command that helps: nobody is
 * asked for a password by a set-up, and other systems name their packages differently.
 *
 * @param {string[][]} wanted  each package by its names, the first that this release knows is taken
 * @param {{ tried: string, because: string, otherwise: string }} facts  `otherwise`: what helps where there is no apt-get
 */
export async function installPackages(wanted, { tried, because, otherwise }) {
  if (!onPath('apt-get')) throw new StepFailure({ tried, because, help: otherwise });
  const names = await packageNames(wanted);
  const command = ['install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() !== 0) {
    throw new StepFailure({ tried, because, help: `sudo apt-get ${command.join(' ')}` });
  }
  await aptGet(command, `${because}; apt-get said:`);
  return `apt-get ${command.join(' ')}`;
}

/**
 * The names this release knows. A fresh container has no package lists at all: then they are fetched once.
 *
 * @param {string[][]} wanted
 */
async function packageNames(wanted) {
  const pick = async () => {
    const { output } = await capture('apt-cache', ['policy', ...wanted.flat()]);
    const known = new Set([...output.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)].map((match) => match[1]));
    return wanted.map((names) => names.find((name) => known.has(name)));
  };
  let names = await pick();
  if (names.includes(undefined) && process.getuid?.() === 0) {
    await aptGet(['update'], 'apt-get update said:');
    names = await pick();
  }
  return names.map((name, index) => name ?? wanted[index]?.[0] ?? '');
}

/**
 * @param {string[]} args
 * @param {string} introduction
 */
async function aptGet(args, introduction) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let result = await capture('apt-get', args, { env });
  if (result.code !== 0 && args[0] === 'install') {
    // Stale lists name package versions that the mirror no longer has.
    await capture('apt-get', ['update'], { env });
    result = await capture('apt-get', args, { env });
  }
  if (result.code !== 0) {
    const because = `${introduction}\n${tail(result.output)}`;
    throw new StepFailure({
      tried: `apt-get ${args.join(' ')}`,
      because,
      help: `apt-get update && apt-get ${args.join(' ')}`,
    });
  }
}

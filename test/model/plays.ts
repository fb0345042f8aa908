import type { Command, CommandKind, CommandOf } from './commands.ts';
import type { Life } from './life.ts';
import { COPY_PLAYS } from './plays-copy.ts';
import { INSTALLATION_PLAYS } from './plays-installation.ts';
import { PEOPLE_PLAYS } from './plays-people.ts';
import { WORKER_PLAYS } from './plays-worker.ts';

const PLAYS: { [K in CommandKind]: (life: Life, command: CommandOf<K>) => Promise<void> } = {
  ...INSTALLATION_PLAYS,
  ...WORKER_PLAYS,
  ...PEOPLE_PLAYS,
  ...COPY_PLAYS,
};

/** Plays one command on the store and on the model. */
export function playCommand<K extends CommandKind>(life: Life, command: CommandOf<K> & Command): Promise<void> {
  return (PLAYS[command.kind] as (life: Life, command: CommandOf<K>) => Promise<void>)(life, command);
}

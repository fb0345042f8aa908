import { plainLine } from '../../src-shared/plain-text.ts';
import { GRANTS, type Grant } from '../../src-shared/vocabulary.ts';
import { openPeople } from '../compose-people.ts';
import type { Person } from '../domain/people-rules.ts';
import { EXIT, PREFIX, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { newPassphrase } from './passphrase-input.ts';
import { refuse } from './run-commands.ts';

const WORDS = { add, set, passphrase } as const;

export const operator: Command = {
  usage: '[add | set | passphrase NAME] [--admin yes|no] [--enabled yes|no] [--grant G]... [--no-grant G]...',
  summary: 'Show the people; add one who has a passphrase; change what one may do, or the passphrase',
  options: {
    admin: { type: 'string' },
    enabled: { type: 'string' },
    grant: { type: 'string', multiple: true },
    'no-grant': { type: 'string', multiple: true },
  },
  run(invocation) {
    const [word, name, ...more] = invocation.positionals;
    if (word === undefined) return list(invocation);
    if (!Object.hasOwn(WORDS, word)) throw new UsageError(`operator takes add, set or passphrase, not ${word}.`);
    if (name === undefined || more.length > 0)
      throw new UsageError('Name one person; put a name with blanks in quotes.');
    return WORDS[word as keyof typeof WORDS](invocation, name);
  },
};

async function list(invocation: Invocation): Promise<number> {
  const opened = invocation.open();
  const listed = await openPeople(opened).list(opened.actor);
  if (!listed.ok) return refuse(invocation, listed.refusal);
  invocation.answer(listed.value, [
    ...listed.value.map(personLine),
    `Add one with: ${PREFIX} operator add NAME --grant agent_approve`,
  ]);
  return EXIT.ok;
}

async function add(invocation: Invocation, name: string): Promise<number> {
  if (invocation.options.enabled !== undefined || invocation.options['no-grant'] !== undefined)
    throw new UsageError('A new person is enabled and has what --admin and --grant say.');
  const wanted = { name, isAdmin: yesOrNo(invocation, 'admin') ?? false, grants: grants(invocation, 'grant') };
  const opened = invocation.open();
  const added = await openPeople(opened).add(opened.actor, wanted, await newPassphrase(invocation, name));
  if (!added.ok) return refuse(invocation, added.refusal);
  invocation.answer(added.value, [
    `Added ${personLine(added.value)}`,
    `They act with: ${PREFIX} COMMAND --as ${plainLine(JSON.stringify(added.value.name))}`,
  ]);
  return EXIT.ok;
}

async function set(invocation: Invocation, name: string): Promise<number> {
  const wanted = {
    name,
    isEnabled: yesOrNo(invocation, 'enabled'),
    isAdmin: yesOrNo(invocation, 'admin'),
    grant: grants(invocation, 'grant'),
    revoke: grants(invocation, 'no-grant'),
  };
  if (wanted.grant.some((grant) => wanted.revoke.includes(grant)))
    throw new UsageError('Give --grant or --no-grant for one right, not both.');
  const opened = invocation.open();
  const result = await openPeople(opened).change(opened.actor, wanted);
  if (!result.ok) return refuse(invocation, result.refusal);
  const { person, changed } = result.value;
  invocation.answer(result.value, [
    changed.length === 0 ? 'It is so already; nothing was changed.' : `Changed: ${changed.join(', ')}.`,
    personLine(person),
  ]);
  return EXIT.ok;
}

async function passphrase(invocation: Invocation, name: string): Promise<number> {
  const opened = invocation.open();
  const changed = await openPeople(opened).setPassphrase(opened.actor, name, await newPassphrase(invocation, name));
  if (!changed.ok) return refuse(invocation, changed.refusal);
  invocation.answer(changed.value, [`${plainLine(changed.value.name)} has a new passphrase.`]);
  return EXIT.ok;
}

function personLine({ id, name, isAdmin, isEnabled, grants: held, hasAccount, hasPassphrase }: Person): string {
  const rights = isAdmin ? ['administrator'] : held;
  const proofs = [...(hasAccount ? ['system account'] : []), ...(hasPassphrase ? ['passphrase'] : [])];
  const facts = [rights.join(', ') || 'no grants', proofs.join(' and '), ...(isEnabled ? [] : ['switched off'])];
  return `${id}  ${plainLine(name)}  ${facts.join('; ')}`;
}

/** Null when the option is not given. Faults: `UsageError`. */
function yesOrNo(invocation: Invocation, name: string): boolean | null {
  const text = textOption(invocation, name);
  if (text === undefined) return null;
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${name} is yes or no.`);
  return text === 'yes';
}

/** Faults: `UsageError` for a right there is none of. */
function grants({ options }: Invocation, name: 'grant' | 'no-grant'): Grant[] {
  const given = Array.isArray(options[name]) ? options[name] : [];
  return given.map((text) => {
    const known = GRANTS.find((grant) => grant === text);
    if (!known) throw new UsageError(`--${name} is one of ${GRANTS.join(', ')}.`);
    return known;
  });
}

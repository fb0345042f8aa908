import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import type { Row } from './rows.ts';

/** Longer than any row: an answer that never comes while somebody looks. */
const HELD_MS = 600_000;

interface Turn {
  text?: string;
  calls?: { name: string; arguments: object }[];
  delayMs?: number;
  fail?: { class: string };
}

const items = { database: 'target', table: 'items' };
const read = (item: number): Turn['calls'] => [{ name: 'get_record', arguments: { ...items, key: { id: item } } }];
const update = (item: number, name: string): Turn['calls'] => [
  { name: 'update_record', arguments: { ...items, key: { id: item }, values: { name } } },
];
const create = (name: string): Turn['calls'] => [{ name: 'create_record', arguments: { ...items, values: { name } } }];

const ask = (question: string): Turn['calls'] => [
  {
    name: 'ask_form',
    arguments: {
      question,
      fields: [
        { name: 'called', label: 'What is it called?', kind: 'text', required: true },
        { name: 'urgent', label: 'Is it urgent?', kind: 'yes_no', required: true },
      ],
    },
  },
];

/** What the person enters into such a form. */
export const enteredAs = (name: string) => ({ called: name, urgent: false });

/** What a run writes, or a person enters, in order; nobody else does. */
export const namesOf = (item: number): [string, string] => [`first ${item}`, `second ${item}`];

/** What a resume comes to only when it proposes a second write. */
const AGAIN: CrashPoint[] = ['before_suspend', 'after_suspend'];

/** What the model says in a row, about its own record of the target. */
export function turnsOf({ point, effect, segment }: Row, item: number): Turn[] {
  const [first, second] = namesOf(item);
  const suspendsAgain = segment === 'resume' && AGAIN.includes(point);
  const write = (name: string): Turn => ({
    text: 'I propose a change.',
    calls: effect === 'non-idempotent' ? create(name) : update(item, name),
  });
  if (effect === 'read' && segment !== 'resume') return [{ calls: read(item) }, { text: 'Read.' }];
  if (effect === 'question') {
    const questions = [{ calls: ask('What comes first?') }, ...(suspendsAgain ? [{ calls: ask('And then?') }] : [])];
    return [...questions, { text: questions.map((_, index) => `{{ results[${index}].content }}`).join(' ') }];
  }
  if (effect === 'read') return [{ calls: [...(read(item) ?? []), ...(update(item, first) ?? [])] }, { text: 'Done.' }];
  return [write(first), ...(suspendsAgain ? [write(second)] : []), { text: 'Done.' }];
}

/** Both writes of a run in one turn, each an insert. */
export function twoInserts(item: number): Turn[] {
  const [first, second] = namesOf(item);
  return [
    { text: 'I propose two records.', calls: [...(create(first) ?? []), ...(create(second) ?? [])] },
    { text: 'Done.' },
  ];
}

const FAILURE: Turn = { fail: { class: 'serverError' } };

/** The model fails, so that there is a retry: at once, or over its second question, so that the retry goes on from a checkpoint. */
export const failingTurns = (row: Row, item: number): Turn[] =>
  row.point === 'before_request' ? [...turnsOf(row, item).slice(0, 1), FAILURE] : [FAILURE];

/** The same turns; the model takes for ever over one of them. */
export const heldAt = (turns: Turn[], index: number): Turn[] =>
  turns.map((turn, at) => (at === index ? { ...turn, delayMs: HELD_MS } : turn));

export const scenarioOf = (turns: Turn[]): string => JSON.stringify({ version: 1, name: 'crash lab', turns });

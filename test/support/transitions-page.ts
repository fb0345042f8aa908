import { STEPS, TRANSITION_TABLE } from '../../src-main/domain/transition-table.ts';

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The page docs/transitions.md, made from the table itself. `vitest -u` on its test writes it anew. */
export function transitionsPage(): string {
  const moves = TRANSITION_TABLE.map(({ id, from, to, trigger, guard, effect, otherwise }) =>
    row([id, from.join(', '), to, trigger, guard, effect, otherwise]),
  );
  const steps = Object.entries(STEPS).map(([mover, statuses]) => row([`\`${mover}\``, statuses.join(', ')]));
  return [
    '# Transitions of a run',
    '',
    'Every way a run moves. Each is one transaction; the guard is judged on rows read inside it, and who does not meet it has changed',
    'nothing. The rules are in `src-main/domain`, this page is made from `src-main/domain/transition-table.ts`.',
    '',
    row(['#', 'from', 'to', 'trigger', 'guard', 'effect', 'otherwise']),
    row(Array(7).fill('---')),
    ...moves,
    '',
    'T8 is gone: deciding claims nothing, so nothing has to be handed back.',
    '',
    'What changes a run and leaves its status:',
    '',
    row(['what', 'while it is']),
    row(['---', '---']),
    ...steps,
    '',
  ].join('\n');
}

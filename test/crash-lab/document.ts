import { CRASH_POINTS, type CrashPoint } from '../../src-main/runtime/crash-points.ts';
import { MUTANTS } from './mutants.ts';
import { ALL_ROWS, demandOf, ROWS, whyImpossible, type EndState, type Row } from './rows.ts';
import { SECOND_DEATHS } from './second-deaths.ts';
import { SCENARIOS } from './scenarios.ts';
import type { ScenarioEnd } from './scenario-steps.ts';

/** What was found: of each row that can occur its end and whether a process died at the point; of each scenario its end. */
export interface Findings {
  endOf(row: Row): { end: EndState; isHit: boolean };
  endOfScenario(name: string): Partial<ScenarioEnd>;
}

/** What a green lab finds: exactly what is demanded. */
export const DEMANDED: Findings = {
  endOf: (row) => ({ end: demandOf(row).end, isHit: true }),
  endOfScenario: (name) => SCENARIOS.find((scenario) => scenario.name === name)?.demand ?? {},
};

const line = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
const head = (cells: string[]): string[] => [line(cells), line(cells.map(() => '---'))];

const END_COLUMNS = ['status', 'end reason', 'effects', 'recorded', 'cards', 'decisions', 'answers', 'uncertain'];
const endCells = (end: Partial<EndState>): (string | number)[] => [
  end.status ?? '',
  end.endReason ?? '',
  end.effects ?? '',
  end.recorded ?? '',
  end.cards ?? '',
  end.decisions ?? '',
  end.answers ?? '',
  end.uncertain ?? '',
];

/** The page docs/crash-lab.md: made of what the lab found, and equal to what the code demands. */
export function crashLabPage(findings: Findings): string {
  return [
    ...opening(),
    ...pointsPart(findings),
    ...rowsPart(findings),
    ...impossiblePart(),
    ...secondDeathsPart(findings),
    ...scenariosPart(findings),
    ...mutantsPart(),
  ].join('\n');
}

const opening = (): string[] => [
  '# The crash lab',
  '',
  'What happens if the machine dies now? `npm run crash-lab` answers with real hosts, real workers and a real file: a process is ended',
  'by SIGKILL at every labelled point, a person does what a person does, and the end is compared with what the specification demands.',
  'The lab writes this page; a test holds it against the lists in the code (`src-main/runtime/crash-points.ts`, `test/crash-lab/rows.ts`).',
  '',
  'Effects are counted by triggers in the target database, so they are what really happened and not what a tool says. In every row the',
  'audit chain verifies. *Recorded* counts `tool_write` events, *cards* how often a person was asked, *decisions* what they decided or sent off,',
  '*answers* what they entered and the model has read (it repeats it in its last words), *uncertain* the writes a person must look at.',
  '',
];

function pointsPart({ endOf }: Findings): string[] {
  const hits = (point: CrashPoint): number => ROWS.filter((row) => row.point === point && endOf(row).isHit).length;
  return [
    '## Points',
    '',
    ...head(['point', 'on disk', 'hits']),
    ...Object.entries(CRASH_POINTS).map(([point, truth]) => line([`\`${point}\``, truth, hits(point as CrashPoint)])),
    '',
  ];
}

const rowsPart = ({ endOf }: Findings): string[] => [
  '## Rows',
  '',
  'An idempotent write is an update, a non-idempotent one an insert. A read in a resume stands in one turn with an update, because nothing',
  'else makes a read wait; its effect is that update. A question is a form of two values (`ask_form`): the run waits for input, a person',
  'fills it in and sends it off, and the resume carries the answers into the call. Whatever dies, they are neither lost nor asked for again.',
  '',
  ...head(['point', 'effect', 'segment', ...END_COLUMNS, 'because']),
  ...ROWS.map((row) =>
    line([`\`${row.point}\``, row.effect, row.segment, ...endCells(endOf(row).end), demandOf(row).because]),
  ),
  '',
];

const impossiblePart = (): string[] => [
  '## Combinations that cannot occur',
  '',
  ...head(['point', 'effect', 'segment', 'because']),
  ...ALL_ROWS.flatMap((row) => {
    const because = whyImpossible(row);
    return because === null ? [] : [line([`\`${row.point}\``, row.effect, row.segment, because])];
  }),
  '',
];

const secondDeathsPart = ({ endOf }: Findings): string[] => [
  '## Second deaths',
  '',
  'The process that takes the run back dies as well: the worker that goes on with it, the host that reclaims it, or the worker of a tool',
  'child that died. The pairs are those in which recovery has something to lose: every point that can occur in the recovery of a fenced',
  'write, stored decisions and answers of which nothing has happened, and taking a run back itself. The end is that of the first death alone,',
  'unless a reason says otherwise.',
  '',
  ...head(['first', 'second', 'effect', 'segment', ...END_COLUMNS, 'because']),
  ...SECOND_DEATHS.map((row) =>
    line([
      `\`${row.point}\``,
      `\`${row.second}\``,
      row.effect,
      row.segment,
      ...endCells(endOf(row).end),
      demandOf(row).because,
    ]),
  ),
  '',
];

const scenariosPart = ({ endOfScenario }: Findings): string[] => [
  '## Scenarios',
  '',
  'The disk is a file system of 16 MB in memory; where mounting is not permitted, a limit on the size of files (RLIMIT_FSIZE) refuses the',
  'same writes. The clock is that of host and workers alone. *Refused* counts decisions that were not taken, *retried* delayed tries that a',
  'person did not want to wait for.',
  '',
  ...head(['scenario', 'cases', 'what is done', ...END_COLUMNS, 'attempts', 'reclaimed', 'retried', 'refused']),
  ...SCENARIOS.map(({ name, cases, story }) => {
    const end = endOfScenario(name);
    return line([
      name,
      cases,
      story,
      ...endCells(end),
      end.attempts ?? 'varies',
      end.reclaimed ?? '',
      end.retried ?? '',
      end.refused ?? '',
    ]);
  }),
  '',
];

const mutantsPart = (): string[] => [
  '## Negative controls',
  '',
  'A lab that cannot turn red proves nothing. Each protection is taken out of a copy of the sources, and each of these must then find a difference:',
  '',
  ...head(['without', 'taken out of', 'must turn red']),
  ...MUTANTS.map(({ name, file, rows, scenarios }) =>
    line([
      name,
      `\`${file}\``,
      [...rows.map((row) => `\`${row.point}\` ${row.effect} ${row.segment}`), ...scenarios].join('; '),
    ]),
  ),
  '',
];

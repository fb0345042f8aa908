import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleLab } from './bundle.ts';
import { playRows } from './families.ts';
import { nameOfRow, type Row } from './rows.ts';
import { compareScenario, SCENARIOS } from './scenarios.ts';

/** A protection taken out of a copy of the sources, and what must notice. */
export interface Mutant {
  name: string;
  file: string;
  /** Exact text, and what stands there instead. */
  text: string;
  instead: string;
  rows: Row[];
  /** Names of scenarios. */
  scenarios: string[];
}

export const MUTANTS: Mutant[] = [
  {
    name: 'fence off',
    file: 'src-main/domain/segment-rules.ts',
    text: "      fenceEffect: input.effect,\n      fenceCallId: input.callId,\n      recoverCallId: '',\n",
    instead: "      fenceEffect: '',\n      fenceCallId: '',\n      recoverCallId: '',\n",
    rows: [
      { point: 'after_effect_before_result', effect: 'idempotent', segment: 'resume' },
      { point: 'after_effect_before_result', effect: 'non-idempotent', segment: 'resume' },
    ],
    scenarios: [],
  },
  {
    name: 'owner guard off',
    file: 'src-main/domain/ownership-rules.ts',
    text: "run.ownerToken !== '' && run.ownerToken === claim.ownerToken",
    instead: "run.ownerToken !== '' && claim.ownerToken !== ''",
    rows: [],
    scenarios: ['stopped worker whose proof of life is gone'],
  },
  {
    name: 'decision not persisted',
    file: 'src-main/domain/decide-rules.ts',
    text: '    decision,\n    events: [approvalEvent(',
    instead: '    events: [approvalEvent(',
    rows: [{ point: 'after_decide', effect: 'idempotent', segment: 'resume' }],
    scenarios: [],
  },
  {
    name: 'answers not persisted',
    file: 'src-main/domain/submit-rules.ts',
    text: "    decision,\n    events: [\n      lifecycleEvent('input'",
    instead: "    events: [\n      lifecycleEvent('input'",
    rows: [{ point: 'after_decide', effect: 'question', segment: 'resume' }],
    scenarios: [],
  },
  {
    name: 'liveness probe off',
    file: 'src-main/workers/reaper.ts',
    text: "    if (own === 'held') return 'alive';\n",
    instead: '',
    rows: [],
    // Without a tool child, whose own proof of life would protect the run as well.
    scenarios: ['thinking worker stopped past its lease'],
  },
  {
    name: 'lease over living workers',
    file: 'src-main/workers/reaper.ts',
    text: "    if (state === 'alive') continue;\n",
    instead: '',
    rows: [],
    scenarios: ['machine asleep past its lease'],
  },
];

/** Everything that a host of the lab is made of. */
const COPIED = ['src-main', 'src-shared', 'test/crash-lab', 'package.json'];

/**
 * Plays what must notice a mutant, on a changed copy of the sources. Returns for each
 * row and scenario what it found wrong; an empty list there means that the lab is blind.
 * Faults: when the text to change is not there exactly once, or when something did not come to an end: then nothing was tried,
 * and a slow machine must not pass for a difference.
 */
export async function playMutant(root: string, mutant: Mutant): Promise<{ name: string; problems: string[] }[]> {
  const copy = copyWith(root, mutant);
  const program = await bundleLab(copy).finally(() => rmSync(copy, { recursive: true, force: true }));
  try {
    const rows = await playRows(program.hostEntry, mutant.rows);
    const noticed = rows.map(({ row, end, problems }) => {
      if (!end) throw new Error(problems.join('; '));
      return { name: nameOfRow(row), problems };
    });
    for (const name of mutant.scenarios) {
      const scenario = SCENARIOS.find((candidate) => candidate.name === name);
      if (!scenario) throw new Error(`There is no scenario "${name}".`);
      const { end, chain } = await scenario.play(program.hostEntry);
      noticed.push({ name, problems: compareScenario(scenario.demand, end, chain) });
    }
    return noticed;
  } finally {
    program.remove();
  }
}

function copyWith(root: string, { file, text, instead }: Mutant): string {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${file} does not hold this text exactly once: ${text}`);
  const copy = mkdtempSync(join(tmpdir(), 'countersign-mutant-'));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(
    join(copy, file),
    source.replace(text, () => instead),
  );
  return copy;
}

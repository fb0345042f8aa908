import type { Mutant } from './mutant.ts';

/** The rule of a case turned round. */
const turned = (cases: string, file: string, text: string, instead: string, ...tests: string[]): Mutant => ({
  name: cases,
  group: 'case',
  file,
  text,
  instead,
  tests,
});

/**
 * A tenth of the cases J to V and X, and of 2.9 of the peers, as `drawCases` draws them, but those that docs/cases.md says
 * have no test; a test compares the two.
 */
export const CASE_MUTANTS: Mutant[] = [
  turned(
    'R-128: an empty list of tools is not all of them',
    'src-main/domain/tool-gate-rules.ts',
    '(allowedToolNames === null || allowedToolNames.includes(definition.name)) &&',
    '(!allowedToolNames?.length || allowedToolNames.includes(definition.name)) &&',
    'test/runtime/tool-loop.test.ts',
  ),
  turned(
    'R-200: the step of a read may be stored later',
    'src-main/runtime/segment.ts',
    '      this.#kept = whole;\n',
    '      throw error;\n',
    'test/runtime/start-and-read.test.ts',
  ),
  turned(
    'R-121: an answer without calls completes',
    'src-main/runtime/tool-loop.ts',
    "endWith(segment, asked.answer, round, 'completed')",
    "endWith(segment, asked.answer, round, 'max_iterations')",
    'test/runtime/tool-loop.test.ts',
  ),
  turned(
    'R-172: a spent budget asks nothing more',
    'src-main/domain/budget-rules.ts',
    "if (isSpent(budget.perRun, own)) return 'perRun';",
    "if (!isSpent(budget.perRun, own)) return 'perRun';",
    'test/domain/budget-rules.test.ts',
    'test/runtime/budgets.test.ts',
  ),
  turned(
    'R-174: an empty text beside calls is sent as one',
    'src-main/models/prompt-mapping.ts',
    "{ ...message, content: '' }",
    '{ ...message, content: null }',
    'test/models/openai-requests.test.ts',
  ),
  turned(
    'R-140: what the model put under a declared key is gone',
    'src-main/domain/question-rules.ts',
    '.filter(([key]) => !declared.has(key))',
    '.filter(() => true)',
    'test/domain/question-rules.test.ts',
    'test/runtime/questions.test.ts',
  ),
  turned(
    'X-19: a purge leaves what waits',
    'src-main/store/purge.ts',
    "or status = 'failed' or status = 'cancelled')",
    "or status = 'failed' or status = 'cancelled' or status = 'waiting_for_approval')",
    'test/store/purge.test.ts',
  ),
  turned(
    'X-19: nobody decided in time',
    'src-main/domain/expire-rules.ts',
    'endsAtMs === 0 || facts.nowMs < endsAtMs',
    'endsAtMs === 0 || facts.nowMs >= endsAtMs',
    'test/domain/expire-rules.test.ts',
    'test/workers/reaper.test.ts',
  ),
  turned(
    'R-159: a group that is not granted',
    'src-main/domain/tool-gate-rules.ts',
    'toolGroups.includes(group)',
    '!toolGroups.includes(group)',
    'test/domain/tool-gate-rules.test.ts',
    'test/runtime/tool-loop.test.ts',
  ),
  turned(
    'R-134: a question that asks nothing',
    'src-main/runtime/tool-loop.ts',
    'if (questions.some(({ schema }) => questionProblem(schema)))',
    'if (false)',
    'test/runtime/questions.test.ts',
  ),
  turned(
    'R-181: nothing is told of an event but what is listed',
    'src-main/domain/event-details.ts',
    'TOLD[kind].flatMap(',
    'Object.keys(known).flatMap(',
    'test/domain/event-details.test.ts',
  ),
  turned(
    'R-123: one answer more when the rounds are used up',
    'src-main/domain/model-question.ts',
    'run.rounds >= run.maxRounds',
    'run.rounds > run.maxRounds',
    'test/runtime/tool-loop.test.ts',
  ),
];

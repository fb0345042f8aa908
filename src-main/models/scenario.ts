import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { Type, type Static } from 'typebox';
import { FAILURE_CLASSES } from '../../src-shared/vocabulary.ts';
import { ModelError } from '../domain/model-client.ts';
import { parseTemplate, TemplateError } from './template.ts';

const closed = { additionalProperties: false };
const Pair = Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 });

/** Exactly one of its words. Texts inside are templates. */
export interface Condition {
  /** Both sides are the same JSON value; 42 is not '42'. */
  equals?: unknown[];
  /** The text contains the text, or the list the item. */
  contains?: unknown[];
  /** The reference has a value that is not null and not empty. */
  exists?: string;
  not?: Condition;
  all?: Condition[];
  any?: Condition[];
}

const Condition = Type.Cyclic(
  {
    Condition: Type.Object(
      {
        equals: Type.Optional(Pair),
        contains: Type.Optional(Pair),
        exists: Type.Optional(Type.String()),
        not: Type.Optional(Type.Ref('Condition')),
        all: Type.Optional(Type.Array(Type.Ref('Condition'), { minItems: 1 })),
        any: Type.Optional(Type.Array(Type.Ref('Condition'), { minItems: 1 })),
      },
      { ...closed, minProperties: 1, maxProperties: 1 },
    ),
  },
  'Condition',
);

const answerFields = {
  /** What the model says, a template. */
  text: Type.Optional(Type.String()),
  /** What it asks for, in order. Arguments are templates at any depth. */
  calls: Type.Optional(
    Type.Array(
      Type.Object(
        { name: Type.String({ minLength: 1 }), arguments: Type.Record(Type.String(), Type.Unknown()) },
        closed,
      ),
      { minItems: 1 },
    ),
  ),
  /** Pause before the answer, in milliseconds. */
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  /** Fails, after the text if there is one. */
  fail: Type.Optional(
    Type.Object(
      {
        class: Type.Enum([...FAILURE_CLASSES]),
        sentence: Type.Optional(Type.String({ minLength: 1 })),
        retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      closed,
    ),
  ),
};

const ScenarioAnswer = Type.Object({ when: Type.Optional(Condition), ...answerFields }, closed);

const ScenarioSchema = Type.Object(
  {
    version: Type.Literal(1),
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    /** A prompt this scenario has an answer for, offered to a person who starts a run. */
    example: Type.Optional(Type.String({ minLength: 1 })),
    /** Templates with a name, for `{{ values.name }}`; each may use the ones before it. */
    values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** One per answer of the model. `branches`: the first whose condition holds is taken; one without a condition always holds. */
    turns: Type.Array(
      Type.Object({ ...answerFields, branches: Type.Optional(Type.Array(ScenarioAnswer, { minItems: 1 })) }, closed),
      { minItems: 1 },
    ),
    /** What the model says after the last turn, a template. */
    closing: Type.Optional(Type.String()),
  },
  closed,
);

/** One thing the scripted model may answer. */
export type ScenarioAnswer = Omit<Static<typeof ScenarioAnswer>, 'when'> & { when?: Condition };
type ScenarioTurn = Omit<Static<typeof ScenarioSchema>['turns'][number], 'branches'> & { branches?: ScenarioAnswer[] };
export type Scenario = Omit<Static<typeof ScenarioSchema>, 'turns'> & { turns: ScenarioTurn[] };

const validate = new Ajv2020({ strict: true, strictNumbers: true }).compile<Scenario>(ScenarioSchema);

/**
 * Reads and checks a scenario file, templates included, so that a mistake shows
 * at the first turn and not at the fifth.
 * Faults: `ModelError` of class `configuration`, naming file, place and problem.
 */
export async function loadScenario(path: string): Promise<Scenario> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw scenarioFault(name, 'the file cannot be read', error);
  }
  return readScenario(name, text);
}

/** What a list says of a scenario; empty texts for one that cannot be read, so that it can still be listed and repaired. */
export async function describeScenario(path: string): Promise<{ name: string; example: string }> {
  try {
    const { name, example } = await loadScenario(path);
    return { name, example: example ?? '' };
  } catch (error) {
    if (error instanceof ModelError) return { name: '', example: '' };
    throw error;
  }
}

/** As `loadScenario`, from the text of a file. */
export function readScenario(fileName: string, text: string): Scenario {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw scenarioFault(fileName, 'the file is not valid JSON', error);
  }
  if (!validate(parsed)) throw scenarioFault(fileName, describeFirst(validate.errors ?? []));
  proveTurns(fileName, parsed.turns);
  proveTemplates(fileName, parsed, '');
  return parsed;
}

function describeFirst(problems: ErrorObject[]): string {
  const [problem] = problems;
  const facts: Record<string, unknown> = problem?.params ?? {};
  const fact = facts.additionalProperty ?? facts.allowedValues ?? facts.allowedValue;
  const detail = fact === undefined ? '' : ` (${JSON.stringify(fact)})`;
  return `${toPlace(problem?.instancePath ?? '')} ${problem?.message ?? 'is not valid'}${detail}`;
}

/** A fault of a scenario file, in one sentence. */
export function scenarioFault(fileName: string, problem: string, cause?: unknown): ModelError {
  return new ModelError(
    'configuration',
    `Scenario ${fileName}: ${problem}. Correct the file, or choose another one in the configuration.`,
    cause,
  );
}

function proveTurns(fileName: string, turns: ScenarioTurn[]): void {
  turns.forEach(({ branches, ...own }, turn) => {
    const place = `turns[${turn}]`;
    if (branches && Object.keys(own).length > 0) {
      throw scenarioFault(fileName, `${place} has branches and an answer of its own; put the answer into a branch`);
    }
    (branches ?? [own]).forEach((answer, branch) => {
      if (answer.text === undefined && !answer.calls && !answer.fail) {
        throw scenarioFault(fileName, `${place}${branches ? `.branches[${branch}]` : ''} has no text, calls or fail`);
      }
    });
  });
}

function proveTemplates(fileName: string, value: unknown, pointer: string): void {
  if (typeof value === 'string') {
    try {
      parseTemplate(value);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw scenarioFault(fileName, `${toPlace(pointer)} ${error.message}`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) proveTemplates(fileName, item, `${pointer}/${key}`);
  }
}

/** `/turns/0/calls/1/name` as `turns[0].calls[1].name`. */
function toPlace(pointer: string): string {
  const place = pointer
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '');
  return place === '' ? 'the file' : place;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestedCall } from '../../src-main/domain/model-client.ts';
import { isTerminal } from '../../src-main/domain/run.ts';
import type { Result } from '../../src-shared/refusals.ts';
import type { Turn } from '../support/fake-model.ts';
import { OWNER, openRuntimeFixture, type RuntimeFixture } from '../support/runtime.ts';
import { anthropicProblems, openAiProblems } from '../support/transcripts.ts';

const NAMES = [
  'read_x',
  'set_x',
  'make_x',
  'mark_x',
  'boom_x',
  'admin_x',
  'ask_x',
  'gone_x',
  '',
  '__proto__',
  'rea\ud800d_x',
];
/** What each tool takes, all of it text: written here again, so that the rule under test does not judge itself. */
const ARGUMENTS: Record<string, string[]> = {
  read_x: ['key'],
  mark_x: ['key'],
  set_x: ['key', 'value'],
  make_x: ['name'],
  boom_x: [],
  // What a person entered; the model itself may name nothing.
  ask_x: ['town'],
};
const IDS = ['', 'a', 'a', 'b', '0', 'c'.repeat(300), 'half \udc00', '__proto__'];
const MEGABYTE = 'm'.repeat(1_000_000);

const argumentsText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ key: fc.constantFrom('title', 'body', 'new'), value: fc.string() })
      .map((args) => JSON.stringify(args)),
  },
  { weight: 4, arbitrary: fc.constantFrom('title', 'body').map((key) => JSON.stringify({ key })) },
  { weight: 3, arbitrary: fc.string().map((name) => JSON.stringify({ name })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '',
      '{}',
      '{',
      '[]',
      'null',
      '"text"',
      '1e999',
      '{"key":1e999}',
      '{"key":"a","key":"b"}',
      '{"__proto__":{"key":"x"}}',
      '{"key":"\\ud800"}',
      '{"key":"half \ud800"}',
      '{"key":9007199254740993}',
      '{"key":"title","value":"n","evil":true}',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(JSON.stringify({ key: MEGABYTE }), `{"key":"${MEGABYTE}`) },
);

/** Now and then a question: it stops a whole turn, so that too many of them would let nothing else happen. */
const fitting = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('title', 'body')
      .map((key) => ({ name: 'read_x', argumentsText: JSON.stringify({ key }) })),
  },
  {
    weight: 3,
    arbitrary: fc.string().map((value) => ({ name: 'set_x', argumentsText: JSON.stringify({ key: 'title', value }) })),
  },
  { weight: 3, arbitrary: fc.string().map((name) => ({ name: 'make_x', argumentsText: JSON.stringify({ name }) })) },
  { weight: 1, arbitrary: fc.constant({ name: 'ask_x', argumentsText: '{}' }) },
);
const anything = fc.record({ name: fc.constantFrom(...NAMES), argumentsText });

const aCall: fc.Arbitrary<RequestedCall> = fc
  .tuple(fc.constantFrom(...IDS), fc.oneof({ weight: 2, arbitrary: fitting }, { weight: 3, arbitrary: anything }))
  .map(([id, asked]) => ({ id, ...asked }));

const aReply: fc.Arbitrary<Turn> = fc.record({
  text: fc.constantFrom('', 'I look.', 'half \ud83d', '\u202eevil'),
  calls: fc.oneof(
    { weight: 8, arbitrary: fc.array(aCall, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(aCall, { minLength: 20, maxLength: 20 }) },
  ),
  inputTokens: fc.constantFrom(null, 0, 5),
});

const tookTooLong = (result: Result<unknown>): boolean =>
  !result.ok &&
  result.refusal.kind === 'invalid_input' &&
  result.refusal.problems.every(({ problem }) => problem === 'took_too_long');

/**
 * Answers what a run asks, something unfitting first if told so. Returns false when nobody may answer this turn: it also
 * names a tool nobody may use.
 */
async function answered(f: RuntimeFixture, runId: string, isUnfittingFirst: boolean): Promise<boolean> {
  const card = await f.runtime.pendingDecision(OWNER, runId);
  const { turnDigest = null, previewRevision = null, questions = [] } = card ?? {};
  const submit = (town: string | number) => {
    const answers = Object.fromEntries(questions.map(({ callId }) => [callId, { town }]));
    return f.runtime.submitInput(OWNER, runId, { turnDigest, previewRevision, answers });
  };
  if (isUnfittingFirst) expect(await submit(5)).toMatchObject({ refusal: { kind: 'invalid_input' } });
  let result = await submit('Leipzig');
  // Judging has 50 ms, of which a busy machine may take them all. What was refused for that has consumed nothing.
  for (let times = 0; times < 20 && tookTooLong(result); times += 1) result = await submit('Leipzig');
  expect(result).toMatchObject(result.ok ? { ok: true } : { refusal: { kind: 'submitter_not_permitted' } });
  return result.ok;
}

describe('whatever a model replies', () => {
  it('X-13 T-32 D-12 the transcript stays valid for both shapes of provider, nothing runs unvalidated, and the run ends with a reason', async () => {
    let executed = 0;
    let shown = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(aReply, { minLength: 1, maxLength: 6 }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        async (replies, verdicts) => {
          const queue = [...replies];
          const f = openRuntimeFixture(() => queue.shift() ?? { text: 'That is all.' });
          try {
            const { id } = await f.start({ maxRounds: 5 });
            let end = 'completed';
            for (let segment = 0; !isTerminal((await f.row(id)).status); segment += 1) {
              expect(segment, 'segments of one run').toBeLessThan(20);
              const outcome = await f.segment();
              if (outcome === 'awaiting_input') {
                asked += 1;
                if (await answered(f, id, verdicts[segment % verdicts.length] === false)) continue;
                end = 'cancelled';
                expect(await f.runtime.cancel(OWNER, id)).toMatchObject({ ok: true });
              }
              if (outcome !== 'awaiting_approval') continue;
              shown += 1;
              // A turn that also names a tool nobody may use can only be denied.
              const approved = verdicts[segment % verdicts.length] ? await f.approve(id) : null;
              const decided = approved?.ok ? approved : await f.deny(id, OWNER, { denialReason: null });
              expect(decided).toMatchObject({ ok: true });
            }
            const row = await f.row(id);
            expect(row.endReason).not.toBe('');
            expect(row.status).toBe(end);
            for (const { messages } of f.model.requests) {
              expect(openAiProblems(messages)).toEqual([]);
              expect(anthropicProblems(messages)).toEqual([]);
            }
            for (const { tool, args } of f.world.executed) {
              executed += 1;
              expect(Object.keys(args).toSorted()).toEqual(ARGUMENTS[tool]);
              expect(Object.values(args).every((value) => typeof value === 'string')).toBe(true);
            }
            expect(f.world.executed.filter(({ tool }) => tool === 'admin_x')).toEqual([]);
          } finally {
            f.dispose();
          }
        },
      ),
      { numRuns: 150, seed: 20_261_130 },
    );
    // The property would hold, too, if nothing ever ran or waited.
    expect(executed).toBeGreaterThan(100);
    expect(shown).toBeGreaterThan(50);
    expect(asked).toBeGreaterThan(15);
  }, 120_000);
});

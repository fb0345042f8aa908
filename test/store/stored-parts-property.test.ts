import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import { cleanNote } from '../../src-main/domain/note-text.ts';
import type { PendingTurn, RunRecord, RunRequest } from '../../src-main/domain/run.ts';
import type { CallQuestion, ToolCall } from '../../src-main/domain/tool.ts';
import { aFailedPreview, anAskingTurn, aPreview, aQuestion, aTurn, TOOL_LIST } from '../support/run-builders.ts';
import { livesOf } from '../support/store-life.ts';
import { enqueueInput, openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

const text = fc.string({ unit: 'grapheme' });
const prompt = text.filter((value) => value.trim() !== '');
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const message: fc.Arbitrary<RunRequest['messages'][number]> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: prompt }),
  fc.record({ role: fc.constant('assistant' as const), content: text }),
);
const request: fc.Arbitrary<RunRequest> = fc.record({
  v: fc.constant(1 as const),
  messages: fc
    .tuple(fc.array(message), prompt)
    .map(([before, content]) => [...before, { role: 'user' as const, content }]),
  allowedToolNames: nullable(fc.array(text)),
  temperature: nullable(fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0)),
  maxOutputTokens: nullable(fc.integer({ min: 1, max: 1_000_000 })),
});

describe('a stored request', () => {
  it('R-184 and T-27 comes back field for field, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (wanted) => {
        const input = enqueueInput(fixture.configuration.id, { request: wanted });
        expect(await fixture.store.transition(input.id, { kind: 'enqueue', input, nowMs: 1_000 })).toMatchObject({
          ok: true,
        });
        expect(await fixture.store.request(input.id)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});

/** Any JSON a tool or a model may name: with members called `__proto__` and numbers of every size. */
const json = fc.dictionary(
  fc.oneof(text, fc.constant('__proto__')),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
) as fc.Arbitrary<JsonObject>;

/** Calls with an id each of their own, as the rules hand them on. */
const anyCalls: fc.Arbitrary<ToolCall[]> = fc
  .array(fc.record({ name: fc.constantFrom('set_x', 'read_x', 'make_x'), arguments: json }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((calls) => calls.map((call, index) => ({ id: `call-${index}`, ...call })));

const turnWith = (questions: (calls: ToolCall[]) => fc.Arbitrary<CallQuestion[]>): fc.Arbitrary<PendingTurn> =>
  anyCalls.chain((calls) =>
    fc
      .record({
        round: fc.integer({ min: 0, max: 20 }),
        after: fc.array(text, { minLength: calls.length, maxLength: calls.length }),
        isFailed: fc.boolean(),
        questions: questions(calls),
        staleCallIds: fc.subarray(calls.map(({ id }) => id)),
        edited: fc.subarray(calls),
      })
      .map(({ after, isFailed, edited, ...turn }) =>
        aTurn(calls, {
          ...turn,
          previews: calls.map((call, index) => (isFailed ? aFailedPreview(call) : aPreview(call, after[index]))),
          edits: Object.fromEntries(edited.map(({ id, arguments: original }) => [id, { original, editedBy: [3, 5] }])),
        }),
      ),
  );

const proposing = turnWith(() => fc.constant([]));
const asking = turnWith((calls) =>
  fc
    .tuple(fc.subarray(calls, { minLength: 1 }), json)
    .map(([asked, schema]) => asked.map((call) => aQuestion(call, schema))),
);

/** As text, which tells members called `__proto__` and the order of all. */
const expectSame = (stored: unknown, given: unknown): void =>
  expect(JSON.stringify(stored)).toBe(JSON.stringify(given));

/** A run that waits with this turn, after the model has said something. */
async function waitingWith(turn: PendingTurn, content: string): Promise<RunRecord> {
  await lives.enqueue();
  const run = await lives.claim(20_000);
  const messages = [{ role: 'assistant' as const, content, toolCalls: turn.calls }];
  await lives.go(run.id, 'record_step', lives.step(run, { messages }), 20_000);
  const waiting = await lives.suspend(run, turn, 20_000);
  expectSame(await fixture.store.pendingTurn(run.id), turn);
  expectSame(await fixture.store.transcript(run.id), messages);
  return waiting;
}

/** So that the next claim is one of the next run. */
const end = (runId: string) => lives.go(runId, 'cancel', { actor: OPERATOR }, 20_000);

describe('a stored turn', () => {
  it('T-27 comes back with its calls, previews and edits, whatever they hold, and so does what was decided about it', async () => {
    await fc.assert(
      fc.asyncProperty(proposing, text, text, fc.boolean(), async (turn, content, note, approved) => {
        const run = await waitingWith(turn, content);
        const said = { approved, note, confirmsBlind: true, denialReason: null };
        const { id, turnDigest, previewRevision } = run;
        expect(await lives.go(id, 'decide_approval', lives.decision(run, said))).toMatchObject({ ok: true });
        expect(await fixture.store.decision(id, 1)).toMatchObject({
          v: 2,
          kind: 'approval',
          turnDigest,
          previewRevision,
          verdicts: Object.fromEntries(turn.calls.map((call) => [call.id, approved ? 'approved' : 'denied'])),
          note: approved ? '' : cleanNote(note),
        });
        expectSame(await fixture.store.pendingTurn(id), turn);
        await end(id);
      }),
      { numRuns: 60 },
    );
  });

  it('R-188 and T-27 comes back with what it asks, whatever the schemas hold', async () => {
    await fc.assert(
      fc.asyncProperty(asking, text, async (turn, content) => {
        const { id, status } = await waitingWith(turn, content);
        expect(status).toBe('waiting_for_input');
        await end(id);
      }),
      { numRuns: 60 },
    );
  });

  it('T-27 comes back with what a person entered', async () => {
    const town = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(town, fc.option(fc.boolean(), { nil: undefined }), async (entered, urgent) => {
        const run = await waitingWith(anAskingTurn(), 'Where?');
        const answer: JsonObject = urgent === undefined ? { town: entered } : { town: entered, urgent };
        const answers = { 'call-ask_x': answer };
        const { id, turnDigest, previewRevision } = run;
        const input = { actor: OPERATOR, trigger: null, answers, tools: TOOL_LIST, turnDigest, previewRevision };
        expect(await lives.go(id, 'submit_input', input)).toMatchObject({ ok: true });
        expect(await fixture.store.decision(id, 1)).toMatchObject({ v: 2, kind: 'input', turnDigest, answers });
        await end(id);
      }),
      { numRuns: 40 },
    );
  });
});

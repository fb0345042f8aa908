import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import type { Answers } from '../../src-main/domain/run.ts';
import { call } from '../support/fake-model.ts';
import { QUESTION_SCHEMA } from '../support/run-builders.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { createCatalogue } from '../support/tool-world.ts';
import { useRuntime } from '../support/use-runtime.ts';

const ask = (id = 'ask_x', args: object = {}) => call('ask_x', args, id);
const ANSWERS = { ask_x: { town: 'Leipzig', urgent: false } };
const results = (f: RuntimeFixture, request: number) =>
  (f.model.requests[request]?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message] : []));

async function submit(f: RuntimeFixture, runId: string, answers: Answers = ANSWERS, actor = OWNER) {
  const card = await f.runtime.pendingDecision(actor, runId);
  const { turnDigest = null, previewRevision = null } = card ?? {};
  return f.runtime.submitInput(actor, runId, { turnDigest, previewRevision, answers });
}

describe('a run that asks', () => {
  const open = useRuntime();

  it('R-55, R-134 and H-023 suspends with its questions, before anything of the turn ran', async () => {
    const f = open([{ text: 'I need to know.', calls: [call('read_x', { key: 'title' }), ask()] }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_input');
    expect(f.world.executed).toEqual([]);
    expect(await f.row(id)).toMatchObject({ status: 'waiting_for_input', pendingTool: 'ask_x', previewRevision: 1 });
    const turn = await f.store.pendingTurn(id);
    expect(turn?.calls.map(({ name }) => name)).toEqual(['read_x', 'ask_x']);
    expect(turn?.questions).toMatchObject([{ callId: 'ask_x', toolName: 'ask_x', schema: { title: 'Where is it?' } }]);
    expect((await f.events(id)).at(-1)).toMatchObject({ kind: 'suspended', payload: { questions: 1 } });
  });

  it('H-049 stores what each question asks as the tool asked it, and an approval without any', async () => {
    const f = open([{ calls: [ask()] }, { calls: [call('set_x', { key: 'title', value: 'n' })] }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.store.pendingTurn(id))?.questions).toEqual([
      { callId: 'ask_x', toolName: 'ask_x', schema: QUESTION_SCHEMA },
    ]);
    await submit(f, id);
    expect(await f.segment()).toBe('awaiting_approval');
    expect((await f.store.pendingTurn(id))?.questions).toEqual([]);
  });

  it('R-55 ends when its questions cannot be stored: nobody would ever see them', async () => {
    const f = open([{ calls: [ask()] }]);
    const { id } = await f.start();
    f.intercept = (kind) => {
      if (kind === 'suspend') throw new Error('The disk is gone.');
      return null;
    };
    expect(await f.segment()).toBe('suspend_failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'suspend_failed' });
  });

  it.each<JsonObject>([{}, { type: 'string' }])(
    'R-134 and H-197 fails for a tool that asks %j: nobody could answer that, or anybody anything',
    async (schema) => {
      const f = open([{ calls: [ask()] }]);
      const { id } = await f.start();
      f.ports.tools.askTurn = async () => [{ callId: 'ask_x', toolName: 'ask_x', schema }];
      expect(await f.segment()).toBe('failed');
      expect(await f.row(id)).toMatchObject({ endReason: 'internal_error' });
    },
  );

  it.each<[string, JsonObject, string, Actor]>([
    ['a scalar', { type: 'string' }, 'schema_not_renderable', OWNER],
    ['an object without properties', { type: 'object' }, 'schema_no_fields', ADMIN],
    ['what can never be sent', { ...QUESTION_SCHEMA, required: ['ghost'] }, 'schema_not_renderable', OWNER],
  ])(
    'H-198, H-200 and H-204 shows %s as a card without a form, which can only be cancelled, by its owner or an administrator',
    async (_what, schema, reason, cancelling) => {
      const f = open([{ calls: [ask()] }]);
      const { id } = await f.start();
      await f.segment();
      const turn = await f.store.pendingTurn(id);
      const questions = turn?.questions.map((question) => ({ ...question, schema }));
      const sealed = f.sealer.seal(`pending_turns.sealed/${id}/1`, { ...turn, questions });
      f.database.prepare('update pending_turns set sealed = ?').run(sealed);
      expect(await f.runtime.pendingDecision(OWNER, id)).toMatchObject({
        calls: null,
        questions: [],
        turnDigest: '',
        unreadable: reason,
      });
      const before = [await f.row(id), await f.events(id)];
      expect(await submit(f, id)).toMatchObject({ refusal: { kind: 'state_unreadable' } });
      expect([await f.row(id), await f.events(id)]).toEqual(before);
      expect(await f.runtime.cancel(COLLEAGUE, id)).toMatchObject({ ok: false });
      expect(await f.runtime.cancel(cancelling, id)).toMatchObject({ ok: true });
    },
  );

  it('R-133 and H-025 refuses a question that is not offered', async () => {
    const f = open([{ calls: [ask()] }, { text: 'I see' }], { disabledTools: ['ask_x'] });
    await f.start();
    expect(await f.segment()).toBe('completed');
    expect(results(f, 1)[0]?.content).toContain('not permitted');
  });

  it('H-221 answers a question that cannot be asked with an error, and asks the others', async () => {
    const f = open([{ calls: [ask('bad'), ask('good')] }, { text: 'done' }]);
    const { id } = await f.start();
    const { askTurn } = f.ports.tools;
    f.ports.tools.askTurn = async (calls) => askTurn(calls.filter((each) => each.id === 'good'));
    expect(await f.segment()).toBe('awaiting_input');
    expect((await f.store.pendingTurn(id))?.calls.map((each) => each.id)).toEqual(['good']);
    expect(await submit(f, id, { good: { town: 'Ulm' } })).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(results(f, 1).map((result) => [result.callId, result.isError])).toEqual([
      ['bad', true],
      ['good', false],
    ]);
  });

  it('goes on without a person when none of its questions can be asked', async () => {
    const f = open([{ calls: [ask(), call('read_x', { key: 'title' })] }, { text: 'done' }]);
    await f.start();
    f.ports.tools.askTurn = async () => [];
    expect(await f.segment()).toBe('completed');
    expect(results(f, 1).map((result) => result.isError)).toEqual([true, false]);
  });

  it('H-022, H-165 and H-225 waits for an approval first when the turn holds a write, and then tells the model to ask by itself', async () => {
    const f = open([{ calls: [ask(), call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(results(f, 1)[0]).toMatchObject({ isError: true });
    expect(results(f, 1)[0]?.content).toContain('Ask in a turn of its own');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['set_x']);
  });
});

describe('answering', () => {
  const open = useRuntime();

  it('R-74, H-205 and H-211 carries the answers into the call, records one input event, and completes', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    expect(await submit(f, id, ANSWERS, COLLEAGUE)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toMatchObject([{ tool: 'ask_x', args: { town: 'Leipzig', urgent: false }, ownerId: 3 }]);
    const inputs = (await f.events(id)).filter((event) => event.kind === 'input');
    expect(inputs.map((event) => event.payload.submittedBy)).toEqual([5]);
    expect(results(f, 1)[0]?.content).toContain('Leipzig');
  });

  it('R-140 and H-220 takes nothing undeclared from the person and nothing declared from the model', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id, { ask_x: { town: 'Berlin', evil: 'x' } });
    await f.segment();
    expect(f.world.executed[0]?.args).toEqual({ town: 'Berlin' });
  });

  it('T-74, R-141, H-221 and H-225 asks all questions of a turn at once, and answers each call with its own (LIM-22)', async () => {
    const f = open([{ calls: [ask('first'), ask('second')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id, { first: { town: 'Ulm' }, second: { town: 'Jena' } });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args)).toEqual([{ town: 'Ulm' }, { town: 'Jena' }]);
  });

  it.each([
    ['an option', { ask_x: {} }],
    ['the type', { ask_x: { town: 7 } }],
    ['a question', {}],
  ])(
    'H-206 and H-242 consumes nothing when %s is wrong: the form is still there and can be sent again',
    async (_what, answers) => {
      const f = open([{ calls: [ask()] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      const before = [await f.row(id), await f.events(id)];
      expect(await submit(f, id, answers as Answers)).toMatchObject({ ok: false, refusal: { kind: 'invalid_input' } });
      expect([await f.row(id), await f.events(id)]).toEqual(before);
      expect(await submit(f, id)).toMatchObject({ ok: true });
      expect(await f.segment()).toBe('completed');
    },
  );

  it('R-76 refuses a form that names no turn, and stores no event', async () => {
    const f = open([{ calls: [ask()] }]);
    const { id } = await f.start();
    await f.segment();
    const form = { turnDigest: '', previewRevision: 1, answers: ANSWERS };
    expect(await f.runtime.submitInput(OWNER, id, form)).toMatchObject({ refusal: { kind: 'stale_turn' } });
    expect(await f.kinds(id)).not.toContain('input');
    expect((await f.row(id)).status).toBe('waiting_for_input');
  });

  it('T-38 and H-207 lets one of two forms win, and uses it', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const answered = await Promise.all([
      submit(f, id, { ask_x: { town: 'Ulm' } }),
      submit(f, id, { ask_x: { town: 'Jena' } }, COLLEAGUE),
    ]);
    expect(answered.map((answer) => (answer.ok ? 'ok' : answer.refusal.kind)).toSorted()).toEqual([
      'already_decided',
      'ok',
    ]);
    const town = answered[0]?.ok ? 'Ulm' : 'Jena';
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args)).toEqual([{ town }]);
    expect((await f.kinds(id)).filter((kind) => kind === 'input')).toHaveLength(1);
  });

  it('T-12 serves the form from what is stored, to whoever may answer and nobody else', async () => {
    const f = open([{ text: 'Tell me.', calls: [ask()] }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card).toMatchObject({ assistantText: 'Tell me.', answerBar: null, questions: [{ callId: 'ask_x' }] });
    expect(await f.runtime.pendingDecision(OWNER, id)).toEqual(card);
    expect(await f.runtime.pendingDecision(OUTSIDER, id)).toBeNull();
  });

  it('H-212 and H-059 says before anybody types that they may not answer, and shows nobody who may not what is asked', async () => {
    const f = open([{ calls: [ask()] }]);
    const { id } = await f.start();
    await f.segment();
    expect((await f.runtime.pendingDecision(OWNER, id))?.questions).toMatchObject([{ schema: QUESTION_SCHEMA }]);
    f.configure({ disabledTools: ['ask_x'] });
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.answerBar).toMatchObject({ kind: 'submitter_not_permitted', toolName: 'ask_x' });
    expect(card?.questions).toEqual([
      { callId: 'ask_x', toolName: 'ask_x', schema: { type: 'object', properties: { town: {}, urgent: {} } } },
    ]);
  });

  it('H-224 carries out the reads of the turn in their order, around the answered call', async () => {
    const f = open([
      { calls: [call('read_x', { key: 'title' }, 'before'), ask(), call('read_x', { key: 'title' }, 'after')] },
      { text: 'done' },
    ]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['read_x', 'ask_x', 'read_x']);
    expect(results(f, 1).map(({ callId }) => callId)).toEqual(['before', 'ask_x', 'after']);
  });

  it('H-227 asks again when the model does, with another digest and another revision', async () => {
    const f = open([{ calls: [ask('first')] }, { calls: [ask('second')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const first = await f.runtime.pendingDecision(OWNER, id);
    await submit(f, id, { first: { town: 'Ulm' } });
    expect(await f.segment()).toBe('awaiting_input');
    const second = await f.runtime.pendingDecision(OWNER, id);
    expect(second?.questions.map(({ callId }) => callId)).toEqual(['second']);
    expect(second?.turnDigest).not.toBe(first?.turnDigest);
    expect(second?.previewRevision).not.toBe(first?.previewRevision);
    await submit(f, id, { second: { town: 'Jena' } });
    expect(await f.segment()).toBe('completed');
  });

  it('T-64 takes an answer for the question it was made for only, and puts one result behind each call', async () => {
    const f = open([{ calls: [ask('first')] }, { calls: [ask('second')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const older = await f.runtime.pendingDecision(OWNER, id);
    await submit(f, id, { first: { town: 'Ulm' } });
    await f.segment();
    const { turnDigest = null, previewRevision = null } = older ?? {};
    const late = { turnDigest, previewRevision, answers: { second: { town: 'Bonn' } } };
    expect(await f.runtime.submitInput(OWNER, id, late)).toMatchObject({ refusal: { kind: 'stale_turn' } });
    await submit(f, id, { second: { town: 'Jena' } });
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests[2]?.messages.map(({ role }) => role).slice(-4)).toEqual([
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(results(f, 2).map(({ content }) => content)).toEqual([
      'the person says {"town":"Ulm"}',
      'the person says {"town":"Jena"}',
    ]);
  });

  it('T-81 and T-107 answers for nobody: a year later the same question waits, with nothing filled in', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    await f.clock.advance(365 * 86_400_000);
    expect(await f.store.nextDueAtMs()).toBeNull();
    expect(await f.runtime.pendingDecision(OWNER, id)).toEqual(card);
    expect(await f.kinds(id)).not.toContain('input');
    expect(await submit(f, id)).toMatchObject({ ok: true });
  });

  it('H-226 stores no answer in clear, and none with control characters', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id, { ask_x: { town: 'Quedl\u0007inburg' } });
    const inClear = () => storedTexts(f).filter((text) => text.includes('Quedl') || text.includes('inburg'));
    expect(inClear()).toEqual([]);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed[0]?.args).toEqual({ town: 'Quedlinburg' });
    expect(inClear()).toEqual([]);
  });

  it('H-241 judges by the question that is stored: a form that was made for another one fits only by chance', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const echoed = { ask_x: { town: 7 }, schema: { town: 7 } } as Answers;
    expect(await submit(f, id, echoed)).toMatchObject({
      refusal: { problems: [{ problem: 'not_asked' }, { field: 'town', problem: 'wrong_type' }] },
    });
    await f.runtime.cancel(OWNER, id);
    expect(await submit(f, id)).toMatchObject({ refusal: { kind: 'not_awaiting_input' } });
  });

  it('R-142 executes no write that came to be offered while the run waited: it was refused before anybody was asked', async () => {
    const turn = { calls: [ask(), call('set_x', { key: 'title', value: 'n' })] };
    const f = open([turn, { text: 'done' }], { disabledTools: ['set_x'] });
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_input');
    f.configure({ disabledTools: [] });
    await submit(f, id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['ask_x']);
    expect(results(f, 1).find(({ callId }) => callId === 'set_x')?.content).toContain('not permitted');
  });

  it('R-142 executes no call that became a write while the run waited: an answer approves nothing', async () => {
    const f = open([{ calls: [ask(), call('read_x', { key: 'title' })] }, { text: 'done' }]);
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_input');
    const { catalogue } = f.ports;
    const changed = catalogue
      .list()
      .map((tool) => (tool.name === 'read_x' ? { ...tool, effect: 'non_idempotent_write' as const } : tool));
    Object.assign(catalogue, createCatalogue(changed));
    expect(await submit(f, id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['ask_x']);
    expect(results(f, 1)[1]?.content).toContain('not approved');
    // Findable in the record: reason and tool, no arguments.
    expect(
      (await f.runtime.timeline(OWNER, id)).filter(({ kind }) => kind === 'tool').map(({ details }) => details),
    ).toMatchObject([
      { toolName: 'ask_x', outcome: 'ok' },
      { toolName: 'read_x', outcome: 'refused', refusal: 'write_unapproved' },
    ]);
  });

  it.each([
    ['is unknown', 'nope_x', {}],
    ['is switched off', 'read_x', { disabledTools: ['read_x'] }],
    ['is for administrators', 'admin_x', {}],
  ])(
    'R-133 waits with nothing that nobody could answer for: a tool that %s is refused first',
    async (_, name, settings) => {
      const args = name === 'read_x' ? { key: 'title' } : { key: 'title', value: 'n' };
      const f = open([{ calls: [call(name, args), ask()] }, { text: 'done' }], settings);
      const { id } = await f.start();
      expect(await f.segment()).toBe('awaiting_input');
      expect((await f.store.pendingTurn(id))?.calls.map((each) => each.name)).toEqual(['ask_x']);
      expect(await submit(f, id)).toMatchObject({ ok: true });
      expect(await f.segment()).toBe('completed');
      expect(results(f, 1).map(({ toolName, isError }) => [toolName, isError])).toEqual([
        [name, true],
        ['ask_x', false],
      ]);
    },
  );

  it('T-24 loses no answer to a dead worker, and asks nobody again', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id, { ask_x: { town: '', urgent: false } });
    expect(await f.dieAt('after_effect_before_result')).toMatchObject({ status: 'queued', decisionNumber: 1 });
    await f.clock.advance(60_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args)).toEqual([
      { town: '', urgent: false },
      { town: '', urgent: false },
    ]);
    expect((await f.kinds(id)).filter((kind) => kind === 'suspended' || kind === 'input')).toEqual([
      'suspended',
      'input',
    ]);
  });

  it('T-24 keeps the answers when the process of the tool gave no result, and tries again with them', async () => {
    const f = open([{ calls: [ask()] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id);
    f.world.resultOf = () => ({ outcome: 'failed', content: 'It died.', write: null, isCutOff: true });
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({ status: 'queued', segment: 'resume', decisionNumber: 1 });
    f.world.resultOf = (_, result) => result;
    await f.clock.advance(60_000);
    expect(await f.segment()).toBe('completed');
    expect(results(f, 1)[0]?.content).toContain('Leipzig');
    expect((await f.kinds(id)).filter((kind) => kind === 'suspended')).toHaveLength(1);
  });

  it('ends when the process of the tool dies over the answers each time', async () => {
    const f = open([{ calls: [ask()] }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id);
    f.world.resultOf = () => ({ outcome: 'failed', content: 'It died.', write: null, isCutOff: true });
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await f.segment()).toBe('requeued');
      await f.clock.advance(600_000);
    }
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'retries_exhausted' });
  });

  it('R-144, H-223 and H-230 ends a run whose stored answers no longer fit what was asked', async () => {
    const f = open([{ calls: [ask()] }]);
    const { id } = await f.start();
    await f.segment();
    await submit(f, id);
    const { store } = f.ports;
    f.ports.store = {
      ...store,
      decision: async (...key) => {
        const decision = await store.decision(...key);
        return decision?.kind === 'input' ? { ...decision, answers: {} } : decision;
      },
    };
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'state_unreadable' });
    expect(f.world.executed).toEqual([]);
  });
});

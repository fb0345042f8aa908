import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src-main/domain/actor.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import { submitInput, type SubmitInput } from '../../src-main/domain/submit-rules.ts';
import { turnBinding, turnDigest } from '../../src-main/domain/turn-rules.ts';
import { BOT } from '../support/decide.ts';
import {
  aCall,
  aConfiguration,
  anAskingTurn,
  answerOf,
  aQuestion,
  asActor,
  aTurn,
  aWaitingRun,
  changeOf,
  PEOPLE,
  someFacts,
  TOOL_LIST,
} from '../support/run-builders.ts';

const TURN = anAskingTurn();
const [CALL] = TURN.calls as [(typeof TURN.calls)[number]];
const ANSWERS = { [CALL.id]: { town: 'Leipzig' } };
const waiting = aWaitingRun({ status: 'waiting_for_input' });

function submit(person: Operator | null, facts: Partial<Facts> = {}, input: Partial<SubmitInput> = {}) {
  const turn = facts.pendingTurn && facts.pendingTurn !== 'unreadable' ? facts.pendingTurn : TURN;
  return submitInput(someFacts({ run: waiting, operator: person, pendingTurn: TURN, ...facts }), {
    actor: person ? asActor(person) : { ...BOT, scopes: [...BOT.scopes] },
    trigger: null,
    answers: ANSWERS,
    turnDigest: turnBinding(turn),
    previewRevision: 1,
    tools: TOOL_LIST,
    ...input,
  });
}

describe('an answer', () => {
  it('R-74 queues the resume with the answers sealed, and records who answered, never what', () => {
    const change = changeOf(submit(PEOPLE.colleague));
    expect(change.set).toMatchObject({ status: 'queued', segment: 'resume', decisionNumber: 1, notBeforeAtMs: 10_000 });
    expect(change.decision).toMatchObject({ kind: 'input', decidedBy: 5, answers: ANSWERS });
    expect(change.events).toHaveLength(1);
    expect(change.events[0]).toMatchObject({ kind: 'input', payload: { submittedBy: 5, questions: ['ask_x'] } });
    expect(JSON.stringify(change.events)).not.toContain('Leipzig');
    expect(change.wakes).toBe(true);
  });

  it('H-146 is needed from nobody else: there is no second person for an answer', () => {
    const configuration = aConfiguration({ requireSecondApprover: true });
    expect(answerOf(submit(PEOPLE.owner, { configuration }))).toBe('accepted');
  });
});

describe('the gates of an answer', () => {
  it.each<[string, Operator | null, Partial<Facts>, Partial<SubmitInput>, string]>([
    ['LIM-09 a stranger', PEOPLE.outsider, {}, {}, 'not_awaiting_input'],
    ['LIM-09 a disabled person', PEOPLE.disabled, {}, {}, 'not_awaiting_input'],
    ['an unknown run', PEOPLE.owner, { run: null }, {}, 'not_awaiting_input'],
    ['a card that wants an approval', PEOPLE.owner, { run: aWaitingRun() }, {}, 'not_awaiting_input'],
    [
      'R-74 and H-207 an answer that came second',
      PEOPLE.owner,
      { run: aWaitingRun({ status: 'queued', decisionNumber: 1 }) },
      {},
      'already_decided',
    ],
    [
      'R-77 and H-218 a configuration that is gone, whatever the values are',
      PEOPLE.owner,
      { configuration: null },
      { answers: { [CALL.id]: { town: 7 } } },
      'configuration_gone',
    ],
    [
      'R-77 and H-218 a configuration that is switched off, whatever the values are',
      PEOPLE.owner,
      { configuration: aConfiguration({}, { isActive: false }) },
      { answers: { [CALL.id]: { town: 7 } } },
      'configuration_inactive',
    ],
    ['H-198 a turn that does not open', PEOPLE.owner, { pendingTurn: 'unreadable' }, {}, 'state_unreadable'],
    ['a turn that is missing', PEOPLE.owner, { pendingTurn: null }, {}, 'state_unreadable'],
    ['a turn that asks nothing', PEOPLE.owner, { pendingTurn: aTurn() }, {}, 'state_unreadable'],
    [
      'R-75 and H-198 a question without a schema',
      PEOPLE.owner,
      { pendingTurn: anAskingTurn([CALL], { questions: [aQuestion(CALL, {})] }) },
      {},
      'state_unreadable',
    ],
    ['H-206 values that do not fit', PEOPLE.owner, {}, { answers: { [CALL.id]: { town: 7 } } }, 'invalid_input'],
    [
      'H-216 values that do not fit, sent for another turn: what is wrong with them is told first',
      PEOPLE.owner,
      {},
      { answers: { [CALL.id]: { town: 7 } }, turnDigest: 'another' },
      'invalid_input',
    ],
    ['no values', PEOPLE.owner, {}, { answers: {} }, 'invalid_input'],
    ['R-76 and H-209 no digest', PEOPLE.owner, {}, { turnDigest: null }, 'stale_turn'],
    ['R-76 an empty digest', PEOPLE.owner, {}, { turnDigest: '' }, 'stale_turn'],
    ['H-210 the digest of an approval', PEOPLE.owner, {}, { turnDigest: turnDigest(TURN.calls) }, 'stale_turn'],
    ['an earlier revision', PEOPLE.owner, {}, { previewRevision: 0 }, 'stale_preview'],
    ['no revision', PEOPLE.owner, {}, { previewRevision: null }, 'stale_preview'],
    ['R-196 and H-214 a service account', null, {}, {}, 'submitter_not_permitted'],
  ])('refuse %s', (_what, person, facts, input, expected) => {
    expect(answerOf(submit(person, facts, input))).toBe(expected);
  });

  it('T-108 and H-230 refuse an answer that cannot be judged in time, and name its field', () => {
    const schema = { type: 'object', properties: { town: { type: 'string', pattern: '^(a+)+$' } } };
    const turn = anAskingTurn([CALL], { questions: [aQuestion(CALL, schema)] });
    const answers = { [CALL.id]: { town: `${'a'.repeat(30)}!` } };
    expect(submit(PEOPLE.owner, { pendingTurn: turn }, { answers })).toEqual({
      ok: false,
      refusal: { kind: 'invalid_input', problems: [{ callId: CALL.id, field: 'town', problem: 'took_too_long' }] },
    });
  });

  it('H-212 and H-213 ask for the right to every call of the turn, reads included', () => {
    const turn = anAskingTurn([CALL, aCall('admin_x')]);
    const facts = { pendingTurn: turn };
    expect(submit(PEOPLE.owner, facts)).toEqual({
      ok: false,
      refusal: { kind: 'submitter_not_permitted', toolName: 'admin_x', reason: 'requiresAdmin' },
    });
    expect(answerOf(submit(PEOPLE.admin, facts))).toBe('accepted');
    const off = aConfiguration({ disabledTools: ['ask_x'] });
    expect(answerOf(submit(PEOPLE.admin, { configuration: off }))).toBe('submitter_not_permitted');
  });

  it('H-209 and H-241 bind the answers to what was asked: another schema is another form', () => {
    const [question] = TURN.questions as [(typeof TURN.questions)[number]];
    const changed = anAskingTurn([CALL], {
      questions: [{ ...question, schema: { ...question.schema, title: 'Why?' } }],
    });
    expect(answerOf(submit(PEOPLE.owner, { pendingTurn: changed }, { turnDigest: turnBinding(TURN) }))).toBe(
      'stale_turn',
    );
  });
});

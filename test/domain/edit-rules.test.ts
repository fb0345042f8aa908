import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src-main/domain/actor.ts';
import { editCard, type EditInput } from '../../src-main/domain/edit-rules.ts';
import type { PendingTurn } from '../../src-main/domain/run.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import { turnDigest } from '../../src-main/domain/turn-rules.ts';
import { BOT, fourEyes, TURN } from '../support/decide.ts';
import {
  aCall,
  aConfiguration,
  answerOf,
  aPreview,
  asActor,
  aTurn,
  aWaitingRun,
  changeOf,
  PEOPLE,
  someFacts,
  TOOL_LIST,
} from '../support/run-builders.ts';

const EDITED = { page: 43 };

function edit(person: Operator | null, facts: Partial<Facts> = {}, input: Partial<EditInput> = {}) {
  const turn = (facts.pendingTurn as PendingTurn | undefined) ?? TURN;
  return editCard(someFacts({ run: aWaitingRun(), operator: person, pendingTurn: TURN, ...facts }), {
    actor: person ? asActor(person) : { ...BOT, scopes: [...BOT.scopes] },
    edits: { 'call-set_x': EDITED },
    previews: [aPreview(aCall('set_x', { arguments: EDITED }), 'other title')],
    turnDigest: typeof turn === 'object' ? turnDigest(turn.calls) : null,
    previewRevision: 1,
    tools: TOOL_LIST,
    ...input,
  });
}
const turnOf = (result: ReturnType<typeof edit>): PendingTurn => changeOf(result).pendingTurn as PendingTurn;

describe('editing the arguments of a waiting call', () => {
  it('makes another card of the same turn: other digest, next revision, previews as they are now', () => {
    const change = changeOf(edit(PEOPLE.owner));
    const turn = change.pendingTurn as PendingTurn;
    expect(change).toMatchObject({ kind: 'waiting', from: 'waiting_for_approval' });
    expect(change.set).toMatchObject({ previewRevision: 2, turnDigest: turnDigest(turn.calls) });
    expect(change.set.turnDigest).not.toBe(turnDigest(TURN.calls));
    expect(change.set).not.toHaveProperty('waitingSinceMs');
    expect(turn.calls).toEqual([{ ...TURN.calls[0], arguments: EDITED }]);
    expect(turn.previews).toEqual([aPreview(aCall('set_x'), 'other title')]);
    expect(change.events.map(({ kind, payload }) => [kind, payload.editedBy ?? payload.previewRevision])).toEqual([
      ['arguments_edited', 3],
      ['suspended', 2],
    ]);
    expect(JSON.stringify(change.events)).not.toContain('"page"');
  });

  it('keeps what the model asked for, however often it is edited, and names everybody once', () => {
    const first = turnOf(edit(PEOPLE.owner));
    const again = { pendingTurn: first, run: aWaitingRun({ previewRevision: 2 }) };
    const second = turnOf(edit(PEOPLE.admin, again, { edits: { 'call-set_x': { page: 44 } }, previewRevision: 2 }));
    expect(second.edits).toEqual({ 'call-set_x': { original: { page: 42 }, editedBy: [3, 1] } });
    const third = { pendingTurn: second, run: aWaitingRun({ previewRevision: 3 }) };
    expect(turnOf(edit(PEOPLE.owner, third, { previewRevision: 3 })).edits['call-set_x']?.editedBy).toEqual([3, 1]);
  });

  it('is for the initiator, too, where a second person is wanted: it releases nothing', () => {
    expect(answerOf(edit(PEOPLE.owner, fourEyes))).toBe('accepted');
  });

  it('without an edit makes the card anew, for everybody who may decide it', () => {
    const old = aTurn(TURN.calls, { definitions: { set_x: 'f'.repeat(64) }, staleCallIds: ['call-set_x'] });
    const change = changeOf(edit(PEOPLE.colleague, { pendingTurn: old }, { edits: {} }));
    expect(change.events[0]).toMatchObject({ kind: 'card_renewed', payload: { renewedBy: 5 } });
    expect(change.pendingTurn).toMatchObject({ definitions: TURN.definitions, staleCallIds: [], edits: {} });
    expect(change.set.turnDigest).toBe(turnDigest(TURN.calls));
    expect(change.set.previewRevision).toBe(2);
  });

  const admin = aTurn([aCall('admin_x')]);
  it.each([
    ['a stranger', PEOPLE.outsider, {}, {}, 'not_awaiting_approval'],
    [
      'a run that waits for nobody',
      PEOPLE.owner,
      { run: aWaitingRun({ status: 'running' }) },
      {},
      'not_awaiting_approval',
    ],
    ['a question', PEOPLE.owner, { run: aWaitingRun({ status: 'waiting_for_input' }) }, {}, 'not_awaiting_approval'],
    ['a configuration that is gone', PEOPLE.owner, { configuration: null }, {}, 'configuration_gone'],
    [
      'one that is switched off',
      PEOPLE.owner,
      { configuration: aConfiguration({}, { isActive: false }) },
      {},
      'configuration_inactive',
    ],
    ['a turn that cannot be read', PEOPLE.owner, { pendingTurn: 'unreadable' }, {}, 'state_unreadable'],
    ['no digest', PEOPLE.owner, {}, { turnDigest: null }, 'stale_turn'],
    ['the digest of another turn', PEOPLE.owner, {}, { turnDigest: turnDigest(admin.calls) }, 'stale_turn'],
    ['an earlier card', PEOPLE.owner, {}, { previewRevision: 0 }, 'stale_preview'],
    ['a call of another turn', PEOPLE.owner, {}, { edits: { 'call-of-nobody': EDITED } }, 'no_such_call'],
    ['a name that every object has', PEOPLE.owner, {}, { edits: { constructor: EDITED } }, 'no_such_call'],
    ['a service account', null, {}, {}, 'approver_not_permitted'],
    [
      'a tool this person may not use',
      PEOPLE.colleague,
      { pendingTurn: admin },
      { edits: { 'call-admin_x': EDITED } },
      'approver_not_permitted',
    ],
  ] as [string, Operator | null, Partial<Facts>, Partial<EditInput>, string][])(
    'is refused for %s, and changes nothing',
    (_what, person, facts, input, refusal) => {
      expect(answerOf(edit(person, facts, input))).toBe(refusal);
    },
  );

  it('takes no arguments that the tool would not take from the model', () => {
    const strict = { type: 'object', properties: { page: { type: 'integer' } }, additionalProperties: false };
    const tools = TOOL_LIST.map((tool) => ({ ...tool, parameters: strict }));
    const edits = { 'call-set_x': { page: 'x', more: 1 } };
    expect(edit(PEOPLE.owner, {}, { tools, edits })).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_arguments', toolName: 'set_x' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { serviceOf, valueOf } from '../support/service.ts';
import { useRuntime } from '../support/use-runtime.ts';
import { useServices } from '../support/use-services.ts';

const SET = call('set_x', { key: 'title', value: 'new title' });
const ADMIN_SET = call('admin_x', { key: 'body', value: 'new body' });
const hidden = (toolName: string) =>
  expect.objectContaining({ toolName, arguments: {}, preview: null, target: null, place: '' }) as unknown;

describe('what a card shows to whom', () => {
  const open = useRuntime();
  const closeAfterwards = useServices();

  async function waiting(f: RuntimeFixture, actor = OWNER): Promise<string> {
    const { id } = await f.start({}, actor);
    expect(await f.segment()).toBe('awaiting_approval');
    return id;
  }
  const callsFor = async (f: RuntimeFixture, actor: Actor, id: string) =>
    (await f.runtime.pendingDecision(actor, id))?.calls ?? null;

  it('H-074 shows the stored preview to whoever may use the tool, and withholds the values of every other call', async () => {
    const f = open([{ calls: [SET, ADMIN_SET] }]);
    const id = await waiting(f, ADMIN);
    expect(await callsFor(f, ADMIN, id)).toMatchObject([
      { withheld: null, preview: { changes: [{ before: 'old title', after: 'new title' }] } },
      { withheld: null, preview: { changes: [{ before: 'old body', after: 'new body' }] } },
    ]);
    const shown = await callsFor(f, COLLEAGUE, id);
    expect(shown).toMatchObject([
      { withheld: null, preview: { changes: [{ after: 'new title' }] } },
      hidden('admin_x'),
    ]);
    expect(shown?.[1]?.withheld).toEqual([
      { name: 'key', bytes: 6 },
      { name: 'value', bytes: 10 },
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/old body|new body/);
  });

  it('H-139 says before anybody presses that they may not release a write, and why; the decision asks again', async () => {
    const f = open([{ calls: [SET, ADMIN_SET] }]);
    const id = await waiting(f, ADMIN);
    const refusal = { kind: 'approver_not_permitted', toolName: 'admin_x', reason: 'requiresAdmin' };
    expect((await f.runtime.pendingDecision(COLLEAGUE, id))?.approvalBar).toEqual(refusal);
    expect(await f.approve(id, COLLEAGUE, { confirmsBlind: true })).toEqual({ ok: false, refusal });
    expect((await f.runtime.pendingDecision(ADMIN, id))?.approvalBar).toBeNull();
  });

  it('H-072 and H-073 gives pages the preview of each call, withheld from the same people', async () => {
    const f = open([{ calls: [SET, ADMIN_SET] }]);
    const runId = await waiting(f, ADMIN);
    const asked = async (actor: Actor) => {
      const service = serviceOf(f, actor);
      closeAfterwards(service, f);
      return valueOf('runs.pendingDecision', await service.call('runs.pendingDecision', { runId }));
    };
    expect((await asked(ADMIN))?.calls?.map(({ preview }) => preview?.kind)).toEqual(['record', 'record']);
    expect((await asked(COLLEAGUE))?.calls).toMatchObject([{ preview: { kind: 'record' } }, hidden('admin_x')]);
  });

  it('H-076 withholds every value from whoever is nobody, and has no card for who was switched off', async () => {
    const f = open([{ calls: [SET] }]);
    const id = await waiting(f);
    const service: Actor = { kind: 'service', name: 'bot', scopes: ['agent:approve'] };
    expect(await callsFor(f, service, id)).toEqual([hidden('set_x')]);
    f.setOperator(5, { isEnabled: false });
    expect(await f.runtime.pendingDecision(COLLEAGUE, id)).toBeNull();
  });

  it('H-077 withholds the preview of a tool that can no longer be asked', async () => {
    const f = open([{ calls: [SET] }]);
    const id = await waiting(f);
    f.unregister('set_x');
    expect(await callsFor(f, OWNER, id)).toEqual([hidden('set_x')]);
  });

  it('H-148 tells the initiator before they press that a second person approves, and takes their denial', async () => {
    const f = open([{ calls: [SET] }, { text: 'understood' }], { requireSecondApprover: true });
    const id = await waiting(f);
    expect((await f.runtime.pendingDecision(OWNER, id))?.approvalBar).toMatchObject({
      kind: 'second_approver_required',
    });
    expect((await f.runtime.pendingDecision(COLLEAGUE, id))?.approvalBar).toBeNull();
    expect(await f.deny(id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
  });

  it('T-69 has a row for every call that the digest covers, in their order', async () => {
    const calls = Array.from({ length: 7 }, (_, index) =>
      index % 3 === 0
        ? call('read_x', { key: 'body' }, `c${index}`)
        : call('set_x', { key: `k${index}`, value: 'v' }, `c${index}`),
    );
    const f = open([{ calls }, { text: 'done' }]);
    const id = await waiting(f);
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls?.map((shown) => [shown.id, shown.toolName])).toEqual(
      calls.map(({ id: of, name }) => [of, name]),
    );
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(7);
  });
});

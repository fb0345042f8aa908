import { describe, expect, it } from 'vitest';
import { ANY_RUN } from '../../src-main/domain/run-search.ts';
import type { OpenService } from '../../src-main/compose.ts';
import type { Actor } from '../../src-main/domain/actor.ts';
import type { InputOf } from '../../src-shared/ipc/contract.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { serviceOf, valueOf } from '../support/service.ts';
import { useRuntime } from '../support/use-runtime.ts';
import { useServices } from '../support/use-services.ts';

type Filter = Partial<InputOf<'runs.search'>['filter']>;

describe('runs.search', () => {
  const open = useRuntime();
  const closeAfterwards = useServices();
  const serve = (f: RuntimeFixture, actor: Actor, changes = {}): OpenService => {
    const service = serviceOf(f, actor, changes);
    closeAfterwards(service, f);
    return service;
  };
  const input = (filter: Filter, more: Partial<InputOf<'runs.search'>> = {}) => ({
    filter: { ...ANY_RUN, ...filter },
    after: null,
    limit: 50,
    withFacets: false,
    ...more,
  });

  it('finds for each person what their lists would show, and reads prompts to who may read the run', async () => {
    const f = open(() => ({ calls: [call('set_x', { key: 'title', value: 'new' })] }), { privacy: 'full' });
    await f.start({ label: 'of the owner', prompt: 'find the albatross' });
    await f.start({ label: 'of a stranger', prompt: 'find the heron' }, OUTSIDER);
    await f.segment();
    const desks = new Map([ADMIN, OWNER, COLLEAGUE].map((actor) => [actor, serve(f, actor)]));
    const found = async (actor: Actor, filter: Filter) => {
      const reply = await desks.get(actor)?.call('runs.search', input(filter));
      return reply ? valueOf('runs.search', reply).runs.map(({ label }) => label) : null;
    };
    expect(await found(ADMIN, {})).toEqual(['of a stranger', 'of the owner']);
    expect(await found(OWNER, {})).toEqual(['of the owner']);
    expect(await found(OWNER, { text: 'stranger' })).toEqual([]);
    expect(await found(OWNER, { initiator: 'person 9' })).toEqual([]);
    // Who may decide about the runs of others sees them in lists and may not read what was asked.
    expect(await found(COLLEAGUE, { text: 'set_x' })).toEqual(['of the owner']);
    expect(await found(COLLEAGUE, { text: 'albatross' })).toEqual([]);
    expect(await found(OWNER, { text: 'albatross' })).toEqual(['of the owner']);
    expect(await found(ADMIN, { text: 'albatross' })).toEqual(['of the owner']);
    f.setOperator(3, { isEnabled: false });
    expect(await found(OWNER, {})).toEqual([]);
  }, 60_000);

  it('hands out pages by a cursor, and takes nothing else for one', async () => {
    const f = open([]);
    for (const label of ['one', 'two', 'three']) await f.start({ label });
    const service = serve(f, OWNER);
    const page = async (after: string | null) =>
      valueOf('runs.search', await service.call('runs.search', input({}, { after, limit: 2 })));
    const first = await page(null);
    expect(first).toMatchObject({ runs: [{ label: 'three' }, { label: 'two' }], count: 3 });
    // A run that comes meanwhile moves no page.
    await f.start({ label: 'four' });
    expect(await page(first.next)).toMatchObject({ runs: [{ label: 'one' }], count: 1, next: null });
    for (const after of ['', '0', '-1', '1.5', 'zzzzzzzzzzzz', '../x', "1' or 1=1"]) {
      expect(await service.call('runs.search', input({}, { after })), after).toMatchObject({
        fault: { code: 'bad_input' },
      });
    }
    for (const limit of [0, 201, 1.5]) {
      expect(await service.call('runs.search', input({}, { limit }))).toMatchObject({ fault: { code: 'bad_input' } });
    }
    expect(await service.call('runs.search', input({ text: 'x'.repeat(201) }))).toMatchObject({
      fault: { code: 'bad_input' },
    });
  });

  it('finds everything for what cannot be seen, and nothing for what is no word', async () => {
    const f = open([]);
    await f.start({ label: 'one' });
    const service = serve(f, OWNER);
    const count = async (text: string) =>
      valueOf('runs.search', await service.call('runs.search', input({ text }))).count;
    expect([await count(''), await count(' \u200b'), await count('***'), await count('ONE')]).toEqual([1, 1, 0, 1]);
  });

  it('T-116 is a fault, not an empty list, when its thread cannot answer', async () => {
    const f = open([]);
    await f.start();
    const service = serve(f, OWNER, { callerUrl: import.meta.url });
    expect(await service.call('runs.search', input({}))).toMatchObject({ ok: false, fault: { code: 'internal' } });
    expect(f.reports).toMatchObject([{ error: { name: 'SearchFailedError' } }]);
  });
});

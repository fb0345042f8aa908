import { describe, expect, it } from 'vitest';
import type { ConfigurationView } from '../../src-shared/views/configuration-view.ts';
import { HostFault } from '../../src-renderer/api/host-fault.ts';
import {
  baseOf,
  needsKeyAgain,
  parseConnectModelDraft,
} from '../../src-renderer/features/models/connect-model-fields.ts';
import { createConnectModelStore } from '../../src-renderer/features/models/connect-model-store.ts';
import { isReadableOnTheWay } from '../../src-renderer/features/models/model-servers.ts';
import { pageClient, settled, tabStorage } from '../support/page-client.ts';

const KEY = 'sk-never-kept-0123456789';

const stored = (hasKey = true): ConfigurationView => ({
  id: 'id-1',
  identifier: 'remote',
  isActive: true,
  model: { kind: 'openai_compatible', baseUrl: 'https://models.example/v1', modelId: 'large', hasKey },
  systemPrompt: 'Be brief.',
  databases: [{ name: 'site', path: '/site.db' }],
  workspaces: [],
  requiresSecondApprover: false,
  zone: 'local',
  withheld: [],
});

function form(existing: ConfigurationView | null = null) {
  const { client, calls } = pageClient();
  const tab = tabStorage(parseConnectModelDraft);
  const again = (now = existing) => createConnectModelStore(client, tab.drafts, now);
  return { ...again(), again, calls, kept: () => [...tab.stored.values()].join('\n') };
}

function filled() {
  const model = form();
  model.change('identifier', 'local');
  model.change('baseUrl', ' http://127.0.0.1:11434/v1 ');
  model.change('modelId', 'small');
  return model;
}

describe('the key', () => {
  it('goes out with a test and with saving, is never part of a draft, and is gone after saving', async () => {
    const { store, change, test: ask, save, calls, kept, again } = filled();
    change('key', KEY);
    void ask();
    calls[0]?.answer({ ok: true, value: { reached: true, durationMs: 320, answer: 'Hello', callsTools: true } });
    await settled();
    change('systemPrompt', 'Be brief.');
    expect(kept()).toContain('Be brief.');
    expect(kept()).not.toContain(KEY);
    expect(again().store.getState().fields.key).toBe('');
    const saved = save();
    expect(calls.map(({ input }) => (input as { key: unknown }).key)).toEqual([
      { kind: 'new', key: KEY },
      { kind: 'new', key: KEY },
    ]);
    calls[1]?.answer({ ok: true, value: stored() });
    await saved;
    expect(JSON.stringify(store.getState())).not.toContain(KEY);
    expect(kept()).toBe('');
  });

  it('stays in the form when saving is refused', async () => {
    const { store, change, save, calls } = filled();
    change('key', KEY);
    const saved = save();
    calls[0]?.answer({ ok: false, refusal: { kind: 'store_busy', waitedMs: 5_000 } });
    expect(await saved).toBeNull();
    expect(store.getState()).toMatchObject({ fields: { key: KEY }, failure: { refusal: { kind: 'store_busy' } } });
  });

  it.each([
    { case: 'none for a new one without', existing: null, key: '', removes: false, sent: { kind: 'none' } },
    { case: 'kept when left empty', existing: stored(), key: '', removes: false, sent: { kind: 'keep' } },
    {
      case: 'kept also where none is known of',
      existing: stored(false),
      key: ' ',
      removes: false,
      sent: { kind: 'keep' },
    },
    { case: 'given up when asked to', existing: stored(), key: '', removes: true, sent: { kind: 'none' } },
    { case: 'replaced when typed', existing: stored(), key: KEY, removes: false, sent: { kind: 'new', key: KEY } },
  ])('is $case', ({ existing, key, removes, sent }) => {
    const { change, removeKey, save, calls } = form(existing);
    change('key', key);
    if (removes) removeKey(true);
    void save();
    expect(calls[0]?.input).toMatchObject({ key: sent, configurationId: existing?.id ?? null });
  });

  it('typed before is emptied when the stored one is to be removed', () => {
    const { store, change, removeKey } = form(stored());
    change('key', KEY);
    removeKey(true);
    expect(store.getState().fields).toMatchObject({ key: '', removesKey: true });
  });

  it('has to be said anew for another address, and only then', () => {
    const { store, change, removeKey } = form(stored());
    const isNeeded = (): boolean => needsKeyAgain(store.getState().fields, store.getState().stored);
    expect(isNeeded()).toBe(false);
    change('baseUrl', ' https://models.example/v1 ');
    expect(isNeeded()).toBe(false);
    change('baseUrl', 'https://elsewhere.example/v1');
    expect(isNeeded()).toBe(true);
    change('key', KEY);
    expect(isNeeded()).toBe(false);
    removeKey(true);
    expect(isNeeded()).toBe(false);
    expect(needsKeyAgain(store.getState().fields, stored(false))).toBe(false);
  });
});

describe('a test of the model', () => {
  const result = { reached: false, failureClass: 'auth', sentence: 'The key was not accepted.', detail: '401' };

  it('shows its result until address, model or key change', async () => {
    const { store, change, removeKey, test: ask, calls } = form(stored());
    const changes = [
      () => change('baseUrl', 'http://127.0.0.1:1/v1'),
      () => change('modelId', 'other'),
      () => change('key', KEY),
      () => removeKey(true),
    ];
    for (const [index, changed] of changes.entries()) {
      void ask();
      calls[index]?.answer({ ok: true, value: result });
      await settled();
      change('systemPrompt', `Prompt ${index}`);
      expect(store.getState().test).toEqual({ state: 'answered', result });
      changed();
      expect(store.getState().test).toEqual({ state: 'none' });
    }
  });

  it('that was asked with other entries says nothing about these', async () => {
    const { store, change, test: ask, calls } = filled();
    void ask();
    change('modelId', 'other');
    void ask();
    calls[0]?.answer({ ok: true, value: result });
    await settled();
    expect(store.getState().test).toEqual({ state: 'asking' });
    calls[1]?.answer({ ok: true, value: result });
    await settled();
    expect(store.getState().test).toEqual({ state: 'answered', result });
  });

  it('is asked once at a time, and saving needs none', async () => {
    const { test: ask, save, calls } = filled();
    void ask();
    void ask();
    void save();
    expect(calls.map(({ name }) => name)).toEqual(['configurations.testModel', 'configurations.connect']);
  });

  it('puts problems at their fields, and a fault where the result would be', async () => {
    const { store, test: ask, calls } = filled();
    void ask();
    const problems = [{ field: 'baseUrl', problem: 'not_http_address' }];
    calls[0]?.answer({ ok: false, refusal: { kind: 'invalid_request', problems } });
    await settled();
    expect(store.getState()).toMatchObject({ problems, refusedTimes: 1, test: { state: 'none' } });
    void ask();
    calls[1]?.fail(new HostFault('disconnected'));
    await settled();
    expect(store.getState().test).toMatchObject({ state: 'failed', failure: { fault: { code: 'disconnected' } } });
  });
});

describe('saving', () => {
  it('sends the entries without blanks around names and addresses, once', async () => {
    const { save, addPlace, changePlace, calls } = filled();
    const row = addPlace('databases');
    changePlace('databases', row, { name: 'site', path: '/site.db' });
    void save();
    expect(await save()).toBeNull();
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      [
        'configurations.connect',
        {
          configurationId: null,
          identifier: 'local',
          baseUrl: 'http://127.0.0.1:11434/v1',
          modelId: 'small',
          key: { kind: 'none' },
          systemPrompt: '',
          databases: [{ name: 'site', path: '/site.db' }],
          workspaces: [],
        },
      ],
    ]);
  });

  it('says which field is too long, which the host could not', async () => {
    const { store, change, changePlace, addPlace, save, calls } = filled();
    change('systemPrompt', 'x'.repeat(100_001));
    changePlace('workspaces', addPlace('workspaces'), { path: 'x'.repeat(4_097) });
    await save();
    expect(store.getState().problems).toEqual([
      { field: 'systemPrompt', problem: 'too_long', limit: 100_000 },
      { field: 'workspaces.0.path', problem: 'too_long', limit: 4_096 },
    ]);
    expect(calls).toEqual([]);
  });

  it('takes problems of a row away when the row is mended, and of all rows when one goes', async () => {
    const { store, addPlace, changePlace, removePlace, save, calls } = filled();
    const [first, second] = [addPlace('databases'), addPlace('databases')];
    const named = (): string[] => store.getState().problems.map(({ field }) => field);
    const refuse = async (index: number): Promise<void> => {
      const saved = save();
      const fields = ['databases.0.path', 'databases.1.name', 'databases.1.path'];
      const problems = fields.map((field) => ({ field, problem: 'missing' }));
      calls[index]?.answer({ ok: false, refusal: { kind: 'invalid_request', problems } });
      await saved;
    };
    await refuse(0);
    changePlace('databases', second, { path: '/site.db' });
    expect(named()).toEqual(['databases.0.path', 'databases.1.name']);
    removePlace('databases', first);
    expect(named()).toEqual([]);
    expect(store.getState().fields.databases).toEqual([{ row: second, name: '', path: '/site.db' }]);
  });
});

describe('a draft', () => {
  it('is there again, with its rows, and says that it is one', () => {
    const { change, addPlace, changePlace, again } = form(stored());
    change('modelId', 'larger');
    changePlace('workspaces', addPlace('workspaces'), { name: 'files' });
    const state = again().store.getState();
    expect(state.fields).toMatchObject({ modelId: 'larger', workspaces: [{ name: 'files', path: '' }] });
    expect(state.isDraftRestored).toBe(true);
  });

  it('is none when everything stands as it is stored', () => {
    const { change, again } = form(stored());
    change('modelId', 'larger');
    change('modelId', 'large');
    expect(again().store.getState().isDraftRestored).toBe(false);
  });

  it('remembers what it began with, so that a change from elsewhere is noticed', () => {
    const { change, again } = form(stored());
    change('modelId', 'larger');
    const newer = { ...stored(), systemPrompt: 'Be thorough.' };
    const { store, startOver } = again(newer);
    expect(store.getState().base).toBe(baseOf(stored()));
    expect(store.getState().base).not.toBe(baseOf(newer));
    startOver(newer);
    expect(store.getState()).toMatchObject({
      base: baseOf(newer),
      isDraftRestored: false,
      fields: { modelId: 'large', systemPrompt: 'Be thorough.' },
    });
    expect(again(newer).store.getState().isDraftRestored).toBe(false);
  });

  it.each(['nonsense', '{}', '{"entries": null, "base": ""}', '{"entries": {"databases": [null, 3]}, "base": 3}'])(
    'that this page did not write is no draft: %s',
    (text) => {
      const { client } = pageClient();
      const tab = tabStorage(parseConnectModelDraft);
      tab.stored.set('draft', text);
      const { store } = createConnectModelStore(client, tab.drafts, null);
      expect(store.getState()).toMatchObject({ isDraftRestored: false, fields: { identifier: '', databases: [] } });
    },
  );

  it('that cannot be kept leaves none behind and is told', () => {
    const { client } = pageClient();
    const kept = new Map([['draft', 'old']]);
    const drafts = {
      read: () => null,
      write: () => false,
      clear: () => void kept.delete('draft'),
    };
    const { store, change } = createConnectModelStore(client, drafts, null);
    change('systemPrompt', 'long');
    expect(store.getState().isDraftKept).toBe(false);
  });
});

it.each([
  ['http://127.0.0.1:11434/v1', false],
  ['http://127.9.9.9/v1', false],
  ['http://localhost/v1', false],
  ['http://[::1]:8080/v1', false],
  ['https://models.example/v1', false],
  ['http://models.example/v1', true],
  ['http://127.0.0.1.models.example/v1', true],
  ['http://10.0.0.7:8000/v1', true],
  ['not an address', false],
])('whether %s can be read on the way is %s', (address, isReadable) => {
  expect(isReadableOnTheWay(address)).toBe(isReadable);
});

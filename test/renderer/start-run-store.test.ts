import { describe, expect, it } from 'vitest';
import type { ConfigurationView } from '../../src-shared/views/configuration-view.ts';
import { HostFault } from '../../src-renderer/api/host-fault.ts';
import { parseStartRunDraft } from '../../src-renderer/features/runs/start-run-fields.ts';
import { createStartRunStore } from '../../src-renderer/features/runs/start-run-store.ts';
import { pageClient, settled, tabStorage } from '../support/page-client.ts';

const configuration = (id: string, isActive = true): ConfigurationView => ({
  id,
  identifier: id,
  isActive,
  model: { kind: 'scripted', name: 'script', example: 'Check page 42' },
  systemPrompt: '',
  databases: [],
  workspaces: [],
  requiresSecondApprover: false,
  zone: 'local',
  withheld: [],
});

function form() {
  const { client, calls } = pageClient();
  const { drafts, stored } = tabStorage(parseStartRunDraft);
  let ids = 0;
  const again = () => createStartRunStore(client, drafts, () => `id-${(ids += 1)}`);
  return { ...again(), again, calls, stored };
}

function filled() {
  const startRun = form();
  startRun.offer([configuration('a')]);
  startRun.change('prompt', 'Check page 7');
  return startRun;
}

describe('what can be chosen', () => {
  it('is chosen when it is the only usable one', () => {
    const { store, offer } = form();
    offer([configuration('off', false), configuration('a')]);
    expect(store.getState().fields.configurationId).toBe('a');
  });

  it('is not chosen for the person when there are several', () => {
    const { store, offer } = form();
    offer([configuration('a'), configuration('b')]);
    expect(store.getState().fields.configurationId).toBe('');
  });

  it('stays as it was chosen when the list comes anew', () => {
    const { store, offer, change } = form();
    offer([configuration('a'), configuration('b')]);
    change('configurationId', 'b');
    offer([configuration('a'), configuration('b'), configuration('c')]);
    expect(store.getState().fields.configurationId).toBe('b');
  });

  it.each([{ left: [configuration('a')] }, { left: [configuration('a'), configuration('b', false)] }])(
    'is nothing, and says so, when the chosen one cannot be used any more',
    ({ left }) => {
      const { store, offer, change } = form();
      offer([configuration('a'), configuration('b')]);
      change('configurationId', 'b');
      offer(left);
      offer(left);
      expect(store.getState()).toMatchObject({ isChoiceLost: true, fields: { configurationId: '' } });
    },
  );
});

describe('the rounds', () => {
  it.each(['3.5', '0', '99', '21', 'abc', '-1', '1e1', '٣', '99999999999999999999'])(
    'are refused as %s, and nothing is sent or changed',
    async (typed) => {
      const { store, change, start, calls } = filled();
      change('maxRounds', typed);
      expect(await start()).toBeNull();
      expect(store.getState().problems).toEqual([{ field: 'maxRounds', problem: 'out_of_range', limit: 20 }]);
      expect(store.getState().fields.maxRounds).toBe(typed);
      expect(calls).toEqual([]);
    },
  );

  it.each([
    ['', null],
    [' ', null],
    ['1', 1],
    [' 20 ', 20],
  ])('are sent for "%s" as %s', (typed, sent) => {
    const { change, start, calls } = filled();
    change('maxRounds', typed);
    void start();
    expect(calls[0]?.input).toMatchObject({ maxRounds: sent });
  });
});

describe('starting', () => {
  it('sends what was typed, once, and then forgets it', async () => {
    const { store, change, start, calls, stored } = filled();
    change('label', ' Page 7 ');
    const started = start();
    expect(await start()).toBeNull();
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ['runs.start', { runId: 'id-1', configurationId: 'a', prompt: 'Check page 7', label: 'Page 7', maxRounds: null }],
    ]);
    calls[0]?.answer({ ok: true, value: { runId: 'run-1' } });
    expect(await started).toBe('run-1');
    expect(store.getState().fields.prompt).toBe('');
    expect(stored.size).toBe(0);
  });

  it('T-39 asks for the same start again while nobody knows whether the host did it, and for another once it was changed', async () => {
    const { change, start, again, calls } = filled();
    const ids = (): unknown[] => calls.map(({ input }) => (input as { runId: string }).runId);
    const lost = start();
    calls[0]?.fail(new HostFault('disconnected'));
    expect(await lost).toBeNull();
    void start();
    expect(ids()).toEqual(['id-1', 'id-1']);
    // After a reload, too: the id stands in the draft.
    void again().start();
    expect(ids().at(-1)).toBe('id-1');
    calls[1]?.fail(new HostFault('disconnected'));
    await settled();
    change('prompt', 'Check page 8');
    void start();
    expect(ids().at(-1)).toBe('id-2');
  });

  it('keeps what is typed while the host is busy', async () => {
    const { store, change, start, calls } = filled();
    const started = start();
    change('prompt', 'Check page 8');
    calls[0]?.answer({ ok: true, value: { runId: 'run-1' } });
    await started;
    expect(store.getState().fields.prompt).toBe('Check page 8');
  });

  it('says at each empty field that it is missing, without asking the host', async () => {
    const { store, start, calls } = form();
    await start();
    expect(store.getState().problems.map(({ field }) => field)).toEqual(['configurationId', 'prompt']);
    expect(calls).toEqual([]);
  });

  it('keeps every value when fields are refused, and puts the problems at their fields', async () => {
    const { store, change, start, calls } = filled();
    const { fields } = store.getState();
    const started = start();
    const problems = [
      { field: 'label', problem: 'too_long', limit: 200 },
      { field: 'request', problem: 'not_storable' },
    ];
    calls[0]?.answer({ ok: false, refusal: { kind: 'invalid_request', problems } });
    expect(await started).toBeNull();
    expect(store.getState()).toMatchObject({
      fields: { ...fields, runId: 'id-1' },
      refusedTimes: 1,
      isStarting: false,
      failure: null,
    });
    expect(store.getState().problems.map(({ field }) => field)).toEqual(['label', 'prompt']);
    change('label', 'shorter');
    expect(store.getState().problems.map(({ field }) => field)).toEqual(['prompt']);
  });

  it('keeps every value when it is refused otherwise', async () => {
    const { store, start, calls } = filled();
    const { fields } = store.getState();
    const started = start();
    const refusal = { kind: 'configuration_inactive', configuration: 'a' };
    calls[0]?.answer({ ok: false, refusal });
    expect(await started).toBeNull();
    expect(store.getState()).toMatchObject({
      fields: { ...fields, runId: 'id-1' },
      failure: { refusal },
      refusedTimes: 0,
    });
  });

  it('keeps every value when nobody answers, and can be tried again', async () => {
    const { store, start, calls, again } = filled();
    const started = start();
    calls[0]?.fail(new HostFault('disconnected'));
    expect(await started).toBeNull();
    expect(store.getState()).toMatchObject({ failure: { fault: { code: 'disconnected' } }, isStarting: false });
    expect(again().store.getState().fields).toEqual(store.getState().fields);
    void start();
    expect(calls).toHaveLength(2);
    await settled();
    expect(store.getState().failure).toBeNull();
  });
});

describe('a draft', () => {
  it('is there again after a reload', () => {
    const { change, again } = filled();
    change('maxRounds', '3.5');
    expect(again().store.getState().fields).toEqual({
      configurationId: 'a',
      prompt: 'Check page 7',
      label: '',
      maxRounds: '3.5',
      runId: '',
    });
  });

  it.each(['nonsense', '7', 'null', '{"prompt": 7, "__proto__": "x", "else": "y"}'])(
    'that this page did not write is no draft: %s',
    (text) => {
      const { again, stored } = form();
      stored.set('draft', text);
      expect(again().store.getState().fields).toEqual({
        configurationId: '',
        prompt: '',
        label: '',
        maxRounds: '',
        runId: '',
      });
    },
  );
});

describe('the example', () => {
  it('fills an empty request at once', () => {
    const { store, takeExample } = form();
    takeExample('Check page 42');
    expect(store.getState()).toMatchObject({ isReplacing: false, fields: { prompt: 'Check page 42' } });
  });

  it('replaces what was typed only when it is pressed twice in a row', () => {
    const { store, change, takeExample } = filled();
    takeExample('Check page 42');
    expect(store.getState()).toMatchObject({ isReplacing: true, fields: { prompt: 'Check page 7' } });
    change('prompt', 'Check page 77');
    takeExample('Check page 42');
    expect(store.getState().fields.prompt).toBe('Check page 77');
    takeExample('Check page 42');
    expect(store.getState()).toMatchObject({ isReplacing: false, fields: { prompt: 'Check page 42' } });
  });
});

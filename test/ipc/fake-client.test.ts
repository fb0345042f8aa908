import { describe, expect, it } from 'vitest';
import { CONTRACT, isCallName, type CommandName, type InputOf, type QueryName } from '../../src-shared/ipc/contract.ts';
import { ANY_RUN } from '../../src-main/domain/run-search.ts';
import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import { createFakeClient } from '../support/fake-client.ts';

/** A text of a form cannot be made up from its schema. */
const START = {
  runId: '11111111-2222-4333-8444-555555555555',
  configurationId: 'c',
  label: '',
  prompt: 'p',
  maxRounds: null,
};

const SEARCH = { filter: ANY_RUN, after: null, limit: 1, withFacets: false };
const MADE_BY_HAND: Record<string, unknown> = { 'runs.start': START, 'runs.search': SEARCH };

/** The double that screens are tested with says nothing that no host would say. */
describe('the fake client', () => {
  it.each(Object.keys(CONTRACT).filter(isCallName))('answers %s with something the contract allows', async (name) => {
    const client = createFakeClient();
    const input: unknown = MADE_BY_HAND[name] ?? Create<TSchema>(CONTRACT[name].input);
    const isQuery = CONTRACT[name].kind === 'query';
    const answer = isQuery
      ? client.query(name as QueryName, input as InputOf<QueryName>)
      : client.command(name as CommandName, input as InputOf<CommandName>);
    expect(await answer).toBeDefined();
    expect(client.calls).toEqual([{ name, input }]);
  });

  it('breaks on an input, an answer or a refusal that the contract does not know', async () => {
    const client = createFakeClient();
    await expect(client.query('runs.detail', { runId: '' })).rejects.toThrow('not the input');
    client.answer('runs.detail', { run: 7 } as never);
    await expect(client.query('runs.detail', { runId: 'r' })).rejects.toThrow('not the answer');
    client.answer('runs.cancel', { ok: false, refusal: { kind: 'no_worker' } } as never);
    await expect(client.command('runs.cancel', { runId: 'r' })).rejects.toThrow('never refused');
    client.answer('runs.cancel', { ok: false, refusal: { kind: 'unknown_run' } });
    expect(await client.command('runs.cancel', { runId: 'r' })).toEqual({
      ok: false,
      refusal: { kind: 'unknown_run' },
    });
  });

  it('tells who subscribed, until they stop', () => {
    const client = createFakeClient();
    const heard: unknown[] = [];
    const stop = client.subscribe('runs.changed', (payload) => heard.push(payload));
    client.publish('runs.changed', { runIds: ['r'] });
    client.publish('configurations.changed', {});
    stop();
    client.publish('runs.changed', { runIds: [] });
    expect(heard).toEqual([{ runIds: ['r'] }]);
    expect(client.subscriptions()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { CONTRACT, isCallName, type InputOf } from '../../src-shared/ipc/contract.ts';
import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import { createFakeClient } from '../support/fake-client.ts';

/** The double that screens are tested with says nothing that no host would say. */
describe('the fake client', () => {
  it.each(Object.keys(CONTRACT).filter(isCallName))('answers %s with something the contract allows', async (name) => {
    const client = createFakeClient();
    const input: unknown = Create<TSchema>(CONTRACT[name].input);
    await expect(client.call(name, input as InputOf<typeof name>)).resolves.toBeDefined();
    expect(client.calls).toEqual([{ name, input }]);
  });

  it('breaks on an input, an answer or a refusal that the contract does not know', async () => {
    const client = createFakeClient();
    await expect(client.call('runs.detail', { runId: '' })).rejects.toThrow('not the input');
    client.answer('runs.detail', { run: 7 } as never);
    await expect(client.call('runs.detail', { runId: 'r' })).rejects.toThrow('not the answer');
    client.answer('runs.cancel', { ok: false, refusal: { kind: 'no_worker' } } as never);
    await expect(client.call('runs.cancel', { runId: 'r' })).rejects.toThrow('never refused');
    client.answer('runs.cancel', { ok: false, refusal: { kind: 'unknown_run' } });
    expect(await client.call('runs.cancel', { runId: 'r' })).toEqual({ ok: false, refusal: { kind: 'unknown_run' } });
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

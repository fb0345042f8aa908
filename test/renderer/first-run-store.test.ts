import { expect, it } from 'vitest';
import { HostFault } from '../../src-renderer/api/host-fault.ts';
import { createFirstRunStore } from '../../src-renderer/features/first-run/first-run-store.ts';
import { pageClient } from '../support/page-client.ts';

it('trying the sample asks once and stays at work until the screen leaves', async () => {
  const { client, calls } = pageClient();
  const { store, trySample } = createFirstRunStore(client);
  const tried = trySample();
  expect(await trySample()).toBeNull();
  expect(calls.map(({ name, input }) => [name, input])).toEqual([['configurations.trySample', {}]]);
  calls[0]?.answer({ ok: true, value: { runId: 'run-1' } });
  expect(await tried).toBe('run-1');
  expect(store.getState().phase).toBe('working');
});

it.each([
  { reply: { ok: false, refusal: { kind: 'not_administrator' } }, failure: { refusal: { kind: 'not_administrator' } } },
  { reply: new HostFault('internal', 'ref-1'), failure: { fault: { code: 'internal', reference: 'ref-1' } } },
])('a failure is kept until it was read, and the sample can be tried again', async ({ reply, failure }) => {
  const { client, calls } = pageClient();
  const { store, trySample, close } = createFirstRunStore(client);
  const tried = trySample();
  if (reply instanceof HostFault) calls[0]?.fail(reply);
  else calls[0]?.answer(reply);
  expect(await tried).toBeNull();
  expect(store.getState()).toMatchObject({ phase: 'failed', failure });
  close();
  expect(store.getState()).toEqual({ phase: 'idle' });
  void trySample();
  expect(calls).toHaveLength(2);
  expect(store.getState()).toEqual({ phase: 'working' });
});

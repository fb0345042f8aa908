import { describe, expect, it } from 'vitest';
import { HostFault } from '../../src-renderer/api/host-fault.ts';
import { createResource } from '../../src-renderer/api/resource.ts';

/** A host whose answers a test gives one by one, in the order in which they were asked for. */
function slowHost() {
  const asked: { answer(value: string): void; fail(error: unknown): void }[] = [];
  let tell: () => void = () => undefined;
  let isWatched = false;
  const resource = createResource<string>(
    () => new Promise((resolve, reject) => asked.push({ answer: resolve, fail: reject })),
    (changed) => {
      tell = changed;
      isWatched = true;
      return () => (isWatched = false);
    },
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { resource, asked, settle, change: () => tell(), isWatched: () => isWatched };
}

describe('a resource of the page', () => {
  it('has no value until the host has answered', async () => {
    const { resource, asked, settle } = slowHost();
    resource.follow();
    expect(resource.store.getState()).toEqual({ value: undefined, fault: null });
    asked[0]?.answer('first');
    await settle();
    expect(resource.store.getState()).toEqual({ value: 'first', fault: null });
  });

  it('asks once more, and only once, when much changes during one load', async () => {
    const { resource, asked, settle, change } = slowHost();
    resource.follow();
    for (let index = 0; index < 50; index += 1) change();
    expect(asked).toHaveLength(1);
    asked[0]?.answer('old');
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.answer('new');
    await settle();
    expect(asked).toHaveLength(2);
    expect(resource.store.getState().value).toBe('new');
  });

  it('keeps what it had beside a fault, and forgets the fault with the next answer', async () => {
    const { resource, asked, settle } = slowHost();
    resource.follow();
    asked[0]?.answer('kept');
    await settle();
    const reloaded = resource.reload();
    asked[1]?.fail(new HostFault('disconnected'));
    await reloaded;
    expect(resource.store.getState()).toMatchObject({ value: 'kept', fault: { code: 'disconnected' } });
    const again = resource.reload();
    asked[2]?.answer('fresh');
    await again;
    expect(resource.store.getState()).toEqual({ value: 'fresh', fault: null });
  });

  it('goes on after a failed load when something changed during it', async () => {
    const { resource, asked, settle, change } = slowHost();
    resource.follow();
    change();
    asked[0]?.fail(new HostFault('disconnected'));
    await settle();
    asked[1]?.answer('there again');
    await settle();
    expect(resource.store.getState()).toEqual({ value: 'there again', fault: null });
  });

  it('stops watching when nobody looks any more', () => {
    const { resource, isWatched } = slowHost();
    const stop = resource.follow();
    expect(isWatched()).toBe(true);
    stop();
    expect(isWatched()).toBe(false);
  });
});

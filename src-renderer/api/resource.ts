import { createStore, type StoreApi } from 'zustand/vanilla';
import { asHostFault, type HostFault } from './host-fault.ts';

/** Something the host knows, as this page saw it last. A fault beside a value: the value may be out of date. */
export interface ResourceState<T> {
  value: T | undefined;
  fault: HostFault | null;
}

export interface Resource<T> {
  store: StoreApi<ResourceState<T>>;
  /** Loads now and whenever something changed, until the returned function is called. */
  follow(): () => void;
  reload(): Promise<void>;
}

/**
 * Keeps one answer of the host up to date. At most one load is under way; a change
 * during it leads to exactly one more, so the newest state is always loaded in the
 * end and a storm of changes costs two loads. Times are the host's; nothing is guessed.
 *
 * @param load  asks the host
 * @param watch  subscribes to what may change the answer; returns the way to stop
 */
export function createResource<T>(load: () => Promise<T>, watch: (changed: () => void) => () => void): Resource<T> {
  const store = createStore<ResourceState<T>>(() => ({ value: undefined, fault: null }));
  let loading: Promise<void> | null = null;
  let isOutdated = false;

  async function loadUntilCurrent(): Promise<void> {
    do {
      isOutdated = false;
      try {
        store.setState({ value: await load(), fault: null });
      } catch (error) {
        store.setState({ fault: asHostFault(error) });
      }
    } while (isOutdated);
  }

  function reload(): Promise<void> {
    isOutdated = true;
    loading ??= loadUntilCurrent().finally(() => (loading = null));
    return loading;
  }

  return {
    store,
    reload,
    follow() {
      void reload();
      return watch(() => void reload());
    },
  };
}

import type { Client } from '../../src-shared/ipc/contract.ts';
import type { Drafts } from '../../src-renderer/components/drafts.ts';
import { createDrafts } from '../../src-renderer/components/drafts.ts';

/** A call as the page made it, and the way to answer it. */
export interface MadeCall {
  name: string;
  input: unknown;
  answer(reply: unknown): void;
  fail(error: unknown): void;
}

/** A client whose answers a test gives by hand, in any order. */
export function pageClient(): { client: Client; calls: MadeCall[] } {
  const calls: MadeCall[] = [];
  const call = (name: string, input: unknown): Promise<never> =>
    new Promise((resolve, reject) => {
      calls.push({ name, input, answer: (reply) => resolve(reply as never), fail: reject });
    });
  return { client: { query: call, command: call, subscribe: () => () => undefined }, calls };
}

/** The storage of a tab, and drafts in it under the key `draft`. */
export function tabStorage<T>(parse: (stored: unknown) => T | null): {
  drafts: Drafts<T>;
  stored: Map<string, string>;
} {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return { drafts: createDrafts(storage, 'draft', parse), stored };
}

/** Lets everything that is ready go on. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

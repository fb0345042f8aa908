import { expect, it } from 'vitest';
import { createDrafts } from '../../src-renderer/components/drafts.ts';

it('a draft that no longer fits the storage is told and leaves no older one in its place', () => {
  const stored = new Map([['draft', '"older"']]);
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: (key: string) => void stored.delete(key),
  };
  const drafts = createDrafts(storage, 'draft', (value) => (typeof value === 'string' ? value : null));
  expect(drafts.read()).toBe('older');
  expect(drafts.write('newer')).toBe(false);
  expect(drafts.read()).toBeNull();
});

/** What a person has typed, kept over a reload and over a look at another screen, until it is used. */
export interface Drafts<T> {
  read(): T | null;
  /** False when it could not be kept: the screen has to say so. */
  write(draft: T): boolean;
  clear(): void;
}

/**
 * Drafts in the storage of this tab or window: gone when it is closed, never shared.
 * No secret may be part of a draft.
 *
 * @param parse  what was stored, as a draft; null when it does not fit this version of the page
 */
export function createDrafts<T>(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  key: string,
  parse: (stored: unknown) => T | null,
): Drafts<T> {
  return {
    read() {
      const stored = storage.getItem(key);
      return stored === null ? null : parse(plainOf(stored));
    },
    write(draft) {
      try {
        storage.setItem(key, JSON.stringify(draft));
        return true;
      } catch {
        // The storage is full. An older draft in its place would be taken for this one.
        storage.removeItem(key);
        return false;
      }
    },
    clear: () => storage.removeItem(key),
  };
}

function plainOf(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    // Not written by this page; treated like a draft of another version.
    return null;
  }
}

/** The texts of a stored draft that are texts, the rest as in `blank`. */
export function textsOf<T extends Record<string, string>>(blank: T, stored: object): T {
  const texts = Object.entries(stored).filter(([key, value]) => Object.hasOwn(blank, key) && typeof value === 'string');
  return { ...blank, ...Object.fromEntries(texts) };
}

type Send = (name: string, payload: unknown) => void;

/** Tells each page only the topics it listens to. */
export interface TopicFanOut {
  /** The whole list of a page; it replaces the list before. */
  want(page: number, names: readonly string[], send: Send): void;
  /** The page is closed, crashed or about to be another one. */
  forget(page: number): void;
  publish(name: string, payload: unknown): void;
}

/** Keeps who listens to what, and nothing of what was told: a page that comes later looks for itself. */
export function createTopicFanOut(): TopicFanOut {
  const pages = new Map<number, { names: ReadonlySet<string>; send: Send }>();
  return {
    want: (page, names, send) => void pages.set(page, { names: new Set(names), send }),
    forget: (page) => void pages.delete(page),
    publish(name, payload) {
      for (const { names, send } of pages.values()) {
        if (names.has(name)) send(name, payload);
      }
    },
  };
}

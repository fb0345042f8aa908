import { createStore } from 'zustand/vanilla';

/** How many parts of the page are still being rendered, bit by bit. */
export const rendering = createStore<{ parts: number }>(() => ({ parts: 0 }));

const add = (parts: number): void => rendering.setState((now) => ({ parts: now.parts + parts }));

/** A part of the page is not all there yet. Returns the way to say that it is, or that it is gone. */
export function renderingBegins(): () => void {
  add(1);
  return () => add(-1);
}

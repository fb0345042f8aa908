import { useEffect, useState } from 'react';
import { renderingBegins } from './rendering.ts';

/**
 * How many of many things to render now: a portion more with every frame until all are
 * there, so that a long list never holds up the page. Until then the page counts as
 * being rendered: what is not there yet cannot have been seen.
 */
export function useGrowing(total: number, portion: number): number {
  const [shown, setShown] = useState(portion);
  const isGrowing = shown < total;
  useEffect(() => (isGrowing ? renderingBegins() : undefined), [isGrowing]);
  useEffect(() => {
    if (shown >= total) return;
    const frame = requestAnimationFrame(() => setShown((now) => now + portion));
    return () => cancelAnimationFrame(frame);
  }, [shown, total, portion]);
  return Math.min(shown, total);
}

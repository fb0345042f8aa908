import { useEffect, useState } from 'react';

/**
 * How many of many things to render now: a portion more with every frame until all are
 * there, so that a long list never holds up the page.
 */
export function useGrowing(total: number, portion: number): number {
  const [shown, setShown] = useState(portion);
  useEffect(() => {
    if (shown >= total) return;
    const frame = requestAnimationFrame(() => setShown((now) => now + portion));
    return () => cancelAnimationFrame(frame);
  }, [shown, total, portion]);
  return Math.min(shown, total);
}

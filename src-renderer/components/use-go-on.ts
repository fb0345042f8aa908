import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Navigation after something that took a while: only if the person is still on this screen. */
export function useGoOn(): ReturnType<typeof useLocation>[1] {
  const [, navigate] = useLocation();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (to, options) => {
    if (isHere.current) navigate(to, options);
  };
}

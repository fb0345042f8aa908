import type { JSX } from 'react';
export function StartRunScreen(): JSX.Element {
  return <h1>Start</h1>;
}

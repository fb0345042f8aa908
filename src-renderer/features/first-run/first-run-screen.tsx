import type { JSX } from 'react';
export function FirstRunScreen(): JSX.Element {
  return <h1>Welcome</h1>;
}

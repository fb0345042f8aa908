import type { JSX } from 'react';
export function ModelsScreen(): JSX.Element {
  return <h1>Models</h1>;
}

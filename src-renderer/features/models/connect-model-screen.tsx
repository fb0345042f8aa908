import type { JSX } from 'react';
export function ConnectModelScreen({ configurationId }: { configurationId: string | null }): JSX.Element {
  return <h1>{configurationId}</h1>;
}

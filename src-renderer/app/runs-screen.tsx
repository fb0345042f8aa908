import type { JSX } from 'react';
export function RunsScreen({ runId }: { runId: string | null }): JSX.Element {
  return <h1>{runId}</h1>;
}

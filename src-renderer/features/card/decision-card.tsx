import type { JSX } from 'react';
import type { RunDetailView } from '../../../src-shared/views/run-detail-view.ts';
export function DecisionCard({ detail }: { detail: RunDetailView }): JSX.Element {
  return <h1>{detail.run.label}</h1>;
}

import type { JSX } from 'react';
import { createConfigurations } from '../api/configurations.ts';
import { useResource } from '../api/use-resource.ts';
import { Loaded } from '../components/load-state.tsx';
import { FirstRunScreen } from '../features/first-run/first-run-screen.tsx';
import { RunsScreen } from './runs-screen.tsx';

/** The inbox; before there is anything to work with, the things one can do first. */
export function HomeScreen(): JSX.Element {
  const configurations = useResource(createConfigurations);
  return (
    <Loaded {...configurations}>
      {(list) => (list.length === 0 ? <FirstRunScreen /> : <RunsScreen runId={null} />)}
    </Loaded>
  );
}

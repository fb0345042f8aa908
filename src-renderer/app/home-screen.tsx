import { useState, type JSX } from 'react';
import { useStore } from 'zustand';
import { useClient } from '../api/client-context.ts';
import { createConfigurations } from '../api/configurations.ts';
import { useResource } from '../api/use-resource.ts';
import { Loaded } from '../components/load-state.tsx';
import { FirstRunScreen } from '../features/first-run/first-run-screen.tsx';
import { createFirstRunStore } from '../features/first-run/first-run-store.ts';
import { RunsScreen } from './runs-screen.tsx';

/**
 * The inbox; before there is anything to work with, the things one can do first. These
 * stay while one of them is under way or has failed: the configurations are there
 * before the first run is, and a failure must not vanish unread.
 */
export function HomeScreen(): JSX.Element {
  const client = useClient();
  const configurations = useResource(createConfigurations);
  const [firstRun] = useState(() => createFirstRunStore(client));
  const isUnderWay = useStore(firstRun.store, ({ phase }) => phase !== 'idle');
  return (
    <Loaded {...configurations}>
      {(list) =>
        list.length === 0 || isUnderWay ? <FirstRunScreen firstRun={firstRun} /> : <RunsScreen runId={null} />
      }
    </Loaded>
  );
}

import { useEffect, useState, type JSX } from 'react';
import { EFFECT_WORDS } from '../../../src-shared/effect-words.ts';
import type { RunView } from '../../../src-shared/views/run-view.ts';
import { fetchWaitingRuns, HostError } from '../../api/host.ts';

const REFRESH_MS = 2_000;

type State = { runs: RunView[] | null; problem: string };

/** Follows the waiting runs; a failed load keeps the last list and says so. */
function useWaitingRuns(): State {
  const [state, setState] = useState<State>({ runs: null, problem: '' });
  useEffect(() => {
    let isMounted = true;
    const load = async (): Promise<void> => {
      try {
        const runs = await fetchWaitingRuns();
        if (isMounted) setState({ runs, problem: '' });
      } catch (error) {
        const problem = error instanceof HostError ? error.message : String(error);
        if (isMounted) setState((last) => ({ ...last, problem }));
      }
    };
    void load();
    const timer = setInterval(() => void load(), REFRESH_MS);
    return () => {
      isMounted = false;
      clearInterval(timer);
    };
  }, []);
  return state;
}

/** The plain list of runs that wait for a person. Deciding is done on the command line until the cards are here. */
export function WaitingRuns(): JSX.Element {
  const { runs, problem } = useWaitingRuns();
  return (
    <main>
      <h1>Countersign</h1>
      {problem && <p role="alert">{problem}</p>}
      {runs === null && !problem && <p role="status">Loading…</p>}
      {runs?.length === 0 && <p role="status">Nothing waits for a decision.</p>}
      {runs && runs.length > 0 && (
        <div className="scroller">
          <WaitingTable runs={runs} />
        </div>
      )}
      <p>
        Decide on the command line: <code>npm run -s cli -- show RUN</code>, then <code>approve</code> or{' '}
        <code>deny</code>.
      </p>
    </main>
  );
}

function WaitingTable({ runs }: { runs: RunView[] }): JSX.Element {
  return (
    <table>
      <caption>Waiting for a decision: {runs.length}, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Waiting since</th>
          <th scope="col">Run</th>
          <th scope="col">Tool</th>
          <th scope="col">Target</th>
          <th scope="col">Effect</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.runId}>
            <td>{new Date(run.waitingSinceMs).toLocaleString()}</td>
            <td className="label">
              {run.label} <code>{run.runId}</code>
            </td>
            <td>{run.pendingTool}</td>
            <td>{run.pendingTarget}</td>
            <td>{run.pendingEffect && EFFECT_WORDS[run.pendingEffect]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { RunView } from '../../src-shared/views/run-view.ts';

/** The host does not answer, or not as expected. The message is for the person. */
export class HostError extends Error {}

/** Inside the window the page's scheme reaches only its own host; over HTTP every query carries a token. */
const isWindow = location.protocol === 'countersign-app:';
let token: Promise<string> | null = null;

/** Exchanges the one-time code of the address for a token, once; the code leaves the address bar. */
async function openSession(): Promise<string> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (!code)
    throw new HostError('This page needs the whole address that the host printed. Start the host again for a new one.');
  history.replaceState(null, '', location.pathname);
  const response = await fetch('/session', { method: 'POST', body: JSON.stringify({ code }) });
  if (!response.ok)
    throw new HostError('The code of this address was used before. Start the host again for a new one.');
  return ((await response.json()) as { token: string }).token;
}

/** The runs that wait for a person, oldest first. Faults: `HostError`. */
export async function fetchWaitingRuns(): Promise<RunView[]> {
  token ??= isWindow ? Promise.resolve('') : openSession();
  const bearer = await token;
  let response: Response;
  try {
    response = await fetch('/query/inbox.waiting', {
      method: 'POST',
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    });
  } catch (cause) {
    throw new HostError('The host does not answer. Is it still running?', { cause });
  }
  if (!response.ok)
    throw new HostError(`The host refused to answer (${response.status}). Start it again for a new address.`);
  return (await response.json()) as RunView[];
}

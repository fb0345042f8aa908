import type { SessionReply } from '../../src-shared/ipc/http-wire.ts';
import { HostFault } from './host-fault.ts';

/** Where the one-time code for a reload of this tab waits; the token itself is never stored. */
const NEXT_CODE = 'countersign.nextCode';

/**
 * The token of this page. The one-time code comes from the address that the host
 * printed, which leaves the address bar at once, or from this tab before its reload.
 */
export class HttpSession {
  #token: Promise<string> | null = null;

  /** Opens the session on the first call. Faults: `HostFault` signed_out, disconnected. */
  token(): Promise<string> {
    this.#token ??= openSession().catch((error: unknown) => {
      // An unreachable host may come back, and the code was not used: the next call tries again.
      if (error instanceof HostFault && error.code === 'disconnected') this.#token = null;
      throw error;
    });
    return this.#token;
  }
}

async function openSession(): Promise<string> {
  const code = takeCodeOfAddress() ?? sessionStorage.getItem(NEXT_CODE);
  if (code === null) throw new HostFault('signed_out');
  const response = await post(code);
  if (response.status === 401) sessionStorage.removeItem(NEXT_CODE);
  if (!response.ok) throw new HostFault(response.status === 401 ? 'signed_out' : 'internal');
  const { token, nextCode } = (await response.json()) as SessionReply;
  sessionStorage.setItem(NEXT_CODE, nextCode);
  return token;
}

/** Kept until the host has answered: while the host cannot be reached the code is still good. */
let addressCode: string | null = null;

/** The one-time code that stands in the address bar right now. */
export const codeOfAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('code');

function takeCodeOfAddress(): string | null {
  const code = codeOfAddress();
  if (code !== null) {
    addressCode = code;
    history.replaceState(null, '', `${location.pathname}#/`);
  }
  return addressCode;
}

async function post(code: string): Promise<Response> {
  try {
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    addressCode = null;
    return response;
  } catch (cause) {
    throw new HostFault('disconnected', '', cause);
  }
}

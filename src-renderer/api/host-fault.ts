import type { Fault } from '../../src-shared/ipc/entry.ts';

/** `disconnected`: nobody answers; `signed_out`: the host does not know this page any more; the rest as the host says. */
export type HostFaultCode = Fault['code'] | 'disconnected' | 'signed_out';

/**
 * A call that came to nothing: not a refusal, which is an answer. `reference` finds
 * the cause in the host's log; '' where the host was not reached.
 */
export class HostFault extends Error {
  readonly code: HostFaultCode;
  readonly reference: string;
  constructor(code: HostFaultCode, reference = '', cause?: unknown) {
    super(`The host did not answer as expected: ${code}`, { cause });
    this.name = 'HostFault';
    this.code = code;
    this.reference = reference;
  }
}

/** Any error as a fault; a bug of the page itself counts as internal, and is reported like any uncaught error. */
export function asHostFault(error: unknown): HostFault {
  if (error instanceof HostFault) return error;
  reportError(error);
  return new HostFault('internal', '', error);
}

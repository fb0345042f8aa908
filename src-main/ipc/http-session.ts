import { sameDigest } from '../domain/digest.ts';

/** What a page gets for a one-time code. */
export interface OpenedSession {
  token: string;
  /** With it the same page comes back after a reload; using it ends `token`. */
  nextCode: string;
}

export interface HttpSessions {
  /** A code to open one window with; `lifeMs` null = good until it is used. */
  newCode(lifeMs: number | null): string;
  /** Exchanges a code, once. Null = wrong, used up or over. */
  open(code: string): OpenedSession | null;
  isKnown(token: string): boolean;
  /** Called with a token that is good for nothing any more. */
  onEnded(listener: (token: string) => void): void;
}

export interface HttpSessionsOptions {
  /** Unguessable text of 256 bits. */
  newSecret(): string;
  monotonicMs(): number;
}

/** Windows of one person at one host. Who opens more loses the one that was not used for the longest time. */
const MAX_SESSIONS = 64;
const MAX_CODES = 64;

interface Session extends OpenedSession {
  /** The code of the page before its reload; null = it came with an address. */
  reloadedWith: string | null;
  isUsed: boolean;
}

interface OpenCode {
  code: string;
  overAtMs: number | null;
}

/**
 * Who may use the host over HTTP. A code is good for one exchange: whoever reads it
 * later, in a history or over a shoulder, gets nothing with it. A page's own next
 * code replaces its token, so a reload never leaves a second way in behind; it may be
 * sent again as long as the new token was not used, for the answer may have been lost.
 * Everything is in memory: a new start of the host knows nobody.
 */
export function createHttpSessions({ newSecret, monotonicMs }: HttpSessionsOptions): HttpSessions {
  const codes: OpenCode[] = [];
  /** The one that was used last stands last. */
  const sessions: Session[] = [];
  const listeners: ((token: string) => void)[] = [];

  const end = (session: Session | undefined): void => {
    if (!session) return;
    sessions.splice(sessions.indexOf(session), 1);
    for (const listener of listeners) listener(session.token);
  };

  /** Takes the code out of the list; a code that was there is used up, whatever comes of it. */
  const take = (code: string): boolean => {
    const index = codes.findIndex((open) => sameDigest(open.code, code));
    const [taken] = index >= 0 ? codes.splice(index, 1) : [];
    return taken !== undefined && (taken.overAtMs === null || monotonicMs() < taken.overAtMs);
  };

  return {
    newCode(lifeMs) {
      const code = newSecret();
      codes.push({ code, overAtMs: lifeMs === null ? null : monotonicMs() + lifeMs });
      if (codes.length > MAX_CODES) codes.shift();
      return code;
    },
    open(code) {
      const reloaded = sessions.find(
        (session) => sameDigest(session.nextCode, code) || (!session.isUsed && sameDigest(session.reloadedWith, code)),
      );
      if (!reloaded && !take(code)) return null;
      end(reloaded);
      const opened = { token: newSecret(), nextCode: newSecret() };
      sessions.push({ ...opened, reloadedWith: reloaded ? code : null, isUsed: false });
      if (sessions.length > MAX_SESSIONS) end(sessions[0]);
      return opened;
    },
    isKnown(token) {
      const session = sessions.find((one) => sameDigest(one.token, token));
      if (!session) return false;
      session.isUsed = true;
      sessions.push(...sessions.splice(sessions.indexOf(session), 1));
      return true;
    },
    onEnded: (listener) => void listeners.push(listener),
  };
}

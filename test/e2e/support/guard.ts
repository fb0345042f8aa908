import type { BrowserContext } from '@playwright/test';

/** What no page of ours may do in any test, as the lines to show when one did. */
export interface Guard {
  /** Watches every page of a context, present and future. Resolves when documents loaded from now on are watched. */
  watch(context: BrowserContext, isOwn: (url: URL) => boolean): Promise<void>;
  /** Says that something is part of this test and must happen; the reason stands in the test. */
  expect(pattern: RegExp, reason: string): void;
  /** Says that something may happen, where it is a matter of time whether it does. */
  allow(pattern: RegExp, reason: string): void;
  /** Something seen elsewhere than in a page. */
  note(line: string): void;
  /** What happened and was not expected; then what was expected and did not happen. */
  findings(): string[];
  /** Everything seen so far, expected or not. */
  seen(): string[];
}

/** Schemes that stay within the page. */
const INSIDE = new Set(['data:', 'blob:', 'about:']);
const BINDING = 'countersignTestViolation';

/**
 * Fails a test for an error on the console, an error that nobody caught, a breach of the content security policy or a
 * request that leaves the page's origin. A breach is heard of twice, by its event and on the console: the event says
 * which directive, the console also covers documents that were there before.
 */
export function createGuard(): Guard {
  const seen: string[] = [];
  const expected: { pattern: RegExp; reason: string; isCertain: boolean }[] = [];

  return {
    async watch(context, isOwn) {
      const judgeAddress = (kind: string, address: string): void => {
        const url = new URL(address);
        if (!INSIDE.has(url.protocol) && !isOwn(url)) seen.push(`${kind} leaves the origin: ${address}`);
      };
      context.on('console', (message) => {
        const text = message.text();
        if (message.type() === 'error') seen.push(`console error: ${text} (${message.location().url})`);
        else if (/Refused to|violates the following/.test(text)) seen.push(`console: ${text}`);
      });
      context.on('weberror', (error) => seen.push(`uncaught: ${error.error().stack ?? String(error.error())}`));
      context.on('request', (request) => judgeAddress(request.method(), request.url()));
      context.on('page', (page) => page.on('websocket', (socket) => judgeAddress('websocket', toHttp(socket.url()))));
      for (const page of context.pages())
        page.on('websocket', (socket) => judgeAddress('websocket', toHttp(socket.url())));
      await context.exposeBinding(BINDING, (_source, text: string) => void seen.push(`policy: ${text}`));
      await context.addInitScript(tellViolations, BINDING);
    },
    expect: (pattern, reason) => void expected.push({ pattern, reason, isCertain: true }),
    allow: (pattern, reason) => void expected.push({ pattern, reason, isCertain: false }),
    note: (line) => void seen.push(line),
    seen: () => [...seen],
    findings: () => [
      ...seen.filter((line) => !expected.some(({ pattern }) => pattern.test(line))),
      ...expected
        .filter(({ pattern, isCertain }) => isCertain && !seen.some((line) => pattern.test(line)))
        .map(({ pattern, reason }) => `did not happen: ${pattern} (${reason})`),
    ],
  };
}

const toHttp = (address: string): string => address.replace(/^ws/, 'http');

/** Runs in the page before its own scripts. */
function tellViolations(binding: string): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const tell = (globalThis as unknown as Record<string, (text: string) => void>)[binding];
    tell?.(`${event.effectiveDirective} blocked ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
  });
}

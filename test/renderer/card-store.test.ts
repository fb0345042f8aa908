import { Create } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src-shared/refusals.ts';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import { RunDetailView } from '../../src-shared/views/run-detail-view.ts';
import { createConnection, setConnection } from '../../src-renderer/api/connection.ts';
import { HostFault } from '../../src-renderer/api/host-fault.ts';
import { sightKey } from '../../src-renderer/features/card/card-rules.ts';
import { createCardStore } from '../../src-renderer/features/card/card-store.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { settled } from '../support/page-client.ts';
import { aCall, aCard, recordPreview } from './card-builders.ts';

const AFTERWARDS: RunDetailView = Create(RunDetailView);
type Answer = { ok: true; value: RunDetailView } | { ok: false; refusal: Extract<Refusal, { kind: 'stale_preview' }> };

/** A host whose answers the test sets, a page timer that only the test moves, and the store between them. */
const CLAIMS = { via: 'pointer' } as const;

function openCard(first: PendingDecisionView | null = aCard()) {
  let card = first;
  let answer: () => Promise<Answer> = async () => ({ ok: true, value: AFTERWARDS });
  const connection = createConnection('connected');
  const fake = createFakeClient({
    'runs.pendingDecision': () => card,
    'runs.approve': () => answer(),
    'runs.deny': () => answer(),
    'runs.submitInput': () => answer(),
    'runs.cancel': { ok: true, value: AFTERWARDS },
  });
  const client = { ...fake, connection, reconnect: () => undefined };
  const timers = new Set<{ atMs: number; callback: () => void }>();
  let nowMs = 0;
  const store = createCardStore(
    client,
    'run-1',
    (delayMs, callback) => {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    () => CLAIMS,
  );
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const timer of timers) {
      if (timer.atMs > nowMs) continue;
      timers.delete(timer);
      timer.callback();
    }
  };
  /** What the screen does: it shows the content and says so. */
  const show = (): void => {
    const { card: shown } = store.store.getState();
    if (shown) store.contentShown(sightKey(shown, store.store.getState().opened));
  };
  return {
    store,
    /** The commands that were given, in order. */
    sent: () => fake.calls.filter(({ name }) => name !== 'runs.pendingDecision'),
    loads: () => fake.calls.filter(({ name }) => name === 'runs.pendingDecision').length,
    connection,
    advance,
    show,
    state: () => store.store.getState(),
    answerWith: (next: () => Promise<Answer>) => (answer = next),
    async put(next: PendingDecisionView | null, runIds: string[] = ['run-1']) {
      card = next;
      fake.publish('runs.changed', { runIds });
      await settled();
    },
    async ready() {
      const stop = store.follow();
      await settled();
      show();
      advance(400);
      return stop;
    },
  };
}

describe('the store of a card', () => {
  it('H-092 sends the digest and the revision that are on the screen', async () => {
    const page = openCard(aCard({ turnDigest: 'shown', previewRevision: 3 }));
    await page.ready();
    expect(await page.store.approve()).toEqual(AFTERWARDS);
    expect(page.sent()).toEqual([
      {
        name: 'runs.approve',
        input: { runId: 'run-1', turnDigest: 'shown', previewRevision: 3, claims: CLAIMS, confirmsBlind: false },
      },
    ]);
    expect(page.state().isDone).toBe(true);
  });

  it('sends a denial with its reason, and a plain one with none', async () => {
    for (const reason of ['variant', 'skip', null] as const) {
      const page = openCard();
      await page.ready();
      await page.store.deny(reason);
      expect(page.sent()).toEqual([
        {
          name: 'runs.deny',
          input: { runId: 'run-1', turnDigest: 'digest', previewRevision: 1, claims: CLAIMS, reason, note: '' },
        },
      ]);
    }
  });

  it('T-69 decides nothing in the first 400 ms of a content', async () => {
    const page = openCard();
    page.store.follow();
    await settled();
    expect(await page.store.approve()).toBeNull();
    page.show();
    page.advance(399);
    expect(await page.store.approve()).toBeNull();
    expect(await page.store.deny(null)).toBeNull();
    expect(page.sent()).toEqual([]);
    page.advance(1);
    expect(await page.store.approve()).not.toBeNull();
  });

  it('waits for 400 ms again after a change under the pointer', async () => {
    const page = openCard();
    await page.ready();
    await page.put(aCard({ previewRevision: 2 }));
    expect(page.state()).toMatchObject({ isArmed: false, hasChanged: true });
    page.advance(1_000);
    expect(await page.store.approve()).toBeNull();
    page.show();
    page.advance(400);
    await page.store.approve();
    expect(page.sent()).toMatchObject([{ input: { previewRevision: 2 } }]);
  });

  it('counts the 400 ms for the content that was shown, not for one that came in between', async () => {
    const page = openCard();
    page.store.follow();
    await settled();
    page.show();
    page.advance(300);
    await page.put(aCard({ turnDigest: 'other' }));
    page.advance(100);
    expect(page.state().isArmed).toBe(false);
  });

  it('counts the 400 ms anew when a content comes back', async () => {
    const page = openCard();
    page.store.follow();
    await settled();
    page.show();
    page.advance(300);
    await page.put(aCard({ previewRevision: 2 }));
    await page.put(aCard());
    page.advance(100);
    expect(page.state().isArmed).toBe(false);
  });

  it('is not made decidable by the sight of another content', async () => {
    const page = openCard();
    page.store.follow();
    await settled();
    page.store.contentShown('another');
    page.advance(400);
    expect(page.state().isArmed).toBe(false);
  });

  it('gives what was opened its own time to be seen, and what still grows all the time it takes', async () => {
    const long = recordPreview([{ field: 'body', before: 'a', after: 'x'.repeat(3_000) }]);
    const page = openCard(aCard({ calls: [aCall({ preview: long })] }));
    await page.ready();
    page.store.open(page.state().cuts);
    expect(await page.store.approve()).toBeNull();
    page.show();
    page.advance(100);
    page.store.contentGrows();
    page.advance(1_000);
    expect(await page.store.approve()).toBeNull();
    page.show();
    page.advance(400);
    expect(await page.store.approve()).toEqual(AFTERWARDS);
  });

  it('stays decidable when the same content is loaded again', async () => {
    const page = openCard();
    await page.ready();
    await page.put(aCard({ inputTokens: 99 }));
    expect(page.state()).toMatchObject({ isArmed: true, hasChanged: false });
  });

  it('forgets opened parts and the confirmation when the content is another', async () => {
    const long = recordPreview([{ field: 'body', before: 'a', after: 'x'.repeat(3_000) }]);
    const blind = aCall({ preview: { kind: 'failed', reason: 'No.' } });
    const page = openCard(aCard({ calls: [aCall({ preview: long }), blind] }));
    await page.ready();
    page.store.open(page.state().cuts);
    page.store.confirmBlind(true);
    await page.put(aCard({ calls: [aCall({ preview: long }), blind], previewRevision: 2 }));
    expect(page.state()).toMatchObject({ opened: new Set(), isBlindConfirmed: false, cuts: ['0/field:0'] });
    page.show();
    page.advance(400);
    expect(await page.store.approve()).toBeNull();
  });

  it('T-69 does not approve what is shown shortened, or unseen and unconfirmed', async () => {
    const long = recordPreview([{ field: 'body', before: 'a', after: 'x'.repeat(3_000) }]);
    const blind = aCall({ preview: { kind: 'failed', reason: 'No.' } });
    const page = openCard(aCard({ calls: [aCall({ preview: long }), blind] }));
    await page.ready();
    expect(await page.store.approve()).toBeNull();
    page.store.open(['0/field:0']);
    page.show();
    page.advance(400);
    expect(await page.store.approve()).toBeNull();
    page.store.confirmBlind(true);
    expect(await page.store.approve()).toEqual(AFTERWARDS);
  });

  it('may deny what cannot be approved', async () => {
    const page = openCard(aCard({ approvalBar: { kind: 'second_approver_required', configuration: 'site' } }));
    await page.ready();
    expect(await page.store.approve()).toBeNull();
    expect(await page.store.deny(null)).toEqual(AFTERWARDS);
  });

  it('sends nothing while the host cannot be reached', async () => {
    const page = openCard();
    await page.ready();
    setConnection(page.connection, 'lost');
    await page.store.approve();
    await page.store.deny(null);
    expect(page.sent()).toEqual([]);
  });

  it('sends one decision for two presses', async () => {
    const page = openCard();
    await page.ready();
    let arrive: (value: Answer) => void = () => undefined;
    page.answerWith(() => new Promise((resolve) => (arrive = resolve)));
    const first = page.store.approve();
    const second = page.store.approve();
    const third = page.store.deny(null);
    expect(page.state().sending).toBe('approve');
    arrive({ ok: true, value: AFTERWARDS });
    expect([await first, await second, await third]).toEqual([AFTERWARDS, null, null]);
    expect(await page.store.approve()).toBeNull();
    expect(page.sent()).toHaveLength(1);
  });

  it('shows a refusal and loads the card again', async () => {
    const page = openCard();
    await page.ready();
    page.answerWith(async () => ({ ok: false, refusal: { kind: 'stale_preview', currentRevision: 2 } }));
    const before = page.loads();
    expect(await page.store.approve()).toBeNull();
    expect(page.state()).toMatchObject({
      sending: null,
      isDone: false,
      refused: { action: 'approve', refusal: { kind: 'stale_preview', currentRevision: 2 } },
    });
    expect(page.loads()).toBe(before + 1);
  });

  it('keeps a fault apart from a refusal, and can be tried again', async () => {
    const page = openCard();
    await page.ready();
    page.answerWith(() => Promise.reject(new HostFault('disconnected')));
    await page.store.approve();
    expect(page.state()).toMatchObject({ fault: { code: 'disconnected' }, refused: null, sending: null });
    page.answerWith(async () => ({ ok: true, value: AFTERWARDS }));
    expect(await page.store.approve()).toEqual(AFTERWARDS);
    expect(page.state().fault).toBeNull();
  });

  it('can only cancel a turn that cannot be read', async () => {
    const page = openCard(aCard({ calls: null, turnDigest: '' }));
    await page.ready();
    expect(await page.store.approve()).toBeNull();
    expect(await page.store.deny(null)).toBeNull();
    expect(await page.store.cancel()).toEqual(AFTERWARDS);
    expect(page.sent()).toEqual([{ name: 'runs.cancel', input: { runId: 'run-1' } }]);
  });

  it('looks again when its run or any run may have changed, and not for another one', async () => {
    const page = openCard();
    const stop = await page.ready();
    const before = page.loads();
    await page.put(aCard(), ['run-2']);
    expect(page.loads()).toBe(before);
    await page.put(aCard(), []);
    await page.put(aCard(), ['run-2', 'run-1']);
    expect(page.loads()).toBe(before + 2);
    stop();
    await page.put(aCard(), []);
    expect(page.loads()).toBe(before + 2);
    expect(page.state().isArmed).toBe(false);
  });

  it('says that a card is gone, and can decide one that comes back', async () => {
    const page = openCard();
    await page.ready();
    await page.store.approve();
    await page.put(null);
    expect(page.state().card).toBeNull();
    await page.put(aCard());
    expect(page.state()).toMatchObject({ isDone: false, hasChanged: true });
    page.show();
    page.advance(400);
    expect(await page.store.deny(null)).toEqual(AFTERWARDS);
  });

  it('sends answers with what binds them to the form on the screen, and never a decision', async () => {
    const question = { callId: 'call-1', toolName: 'ask_x', schema: {} };
    const page = openCard(aCard({ turnDigest: 'form', previewRevision: 2, questions: [question] }));
    await page.ready();
    expect(await page.store.approve()).toBeNull();
    expect(await page.store.deny(null)).toBeNull();
    const answers = { 'call-1': { town: 'Ulm' } };
    expect(await page.store.answer(answers)).toEqual(AFTERWARDS);
    expect(page.sent()).toEqual([
      {
        name: 'runs.submitInput',
        input: { runId: 'run-1', turnDigest: 'form', previewRevision: 2, claims: CLAIMS, answers },
      },
    ]);
  });

  it('sends no answers for a person who may not answer', async () => {
    const answerBar = { kind: 'submitter_not_permitted', toolName: 'ask_x', reason: 'toolDisabled' } as const;
    const page = openCard(aCard({ answerBar }));
    await page.ready();
    expect(await page.store.answer({})).toBeNull();
    expect(page.sent()).toEqual([]);
  });
});

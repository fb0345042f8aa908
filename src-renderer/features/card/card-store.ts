import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandAnswer, InputOf } from '../../../src-shared/ipc/contract.ts';
import type { Refusal } from '../../../src-shared/refusals.ts';
import type { TriggerClaims } from '../../../src-shared/trigger.ts';
import type { PendingDecisionView } from '../../../src-shared/views/pending-decision-view.ts';
import type { RunDetailView } from '../../../src-shared/views/run-detail-view.ts';
import type { DenialReason } from '../../../src-shared/vocabulary.ts';
import type { HostClient } from '../../api/host-client.ts';
import { asHostFault, type HostFault } from '../../api/host-fault.ts';
import { createResource, type Resource } from '../../api/resource.ts';
import { onRunChanged } from '../../api/run-changes.ts';
import { approvalHold, ARMING_MS, contentKey, cutsOf, denialHold, sightKey } from './card-rules.ts';

/** Calls back after a time; returns the way to prevent it. The page's own timer, or a test's. */
export type After = (delayMs: number, callback: () => void) => () => void;

export type Action = 'approve' | 'deny' | 'answer' | 'cancel';
type Answer = CommandAnswer<'runs.approve' | 'runs.deny' | 'runs.submitInput' | 'runs.cancel'>;
type ShownCard = Pick<PendingDecisionView, 'runId' | 'turnDigest' | 'previewRevision'>;

export interface CardState {
  /** Undefined = not loaded yet; null = the run does not wait for this person any more. */
  card: PendingDecisionView | null | undefined;
  loadFault: HostFault | null;
  /** The parts that are shown shortened at first, and which of them were opened. */
  cuts: readonly string[];
  opened: ReadonlySet<string>;
  isBlindConfirmed: boolean;
  /** The content has stood on the screen long enough to be decided. */
  isArmed: boolean;
  /** The content is not the one that was opened. */
  hasChanged: boolean;
  /** What is on its way to the host. */
  sending: Action | null;
  /** What the last action came to, if it was a no. */
  refused: { action: Action; refusal: Refusal } | null;
  fault: HostFault | null;
  isDone: boolean;
}

/** The decision card of one run: what is on the screen, and the only things a person can do with it. */
export interface CardStore {
  store: StoreApi<CardState>;
  /** Loads now and whenever the run changed, until the returned function is called. */
  follow(): () => void;
  reload(): Promise<void>;
  /** To be told once all of this sight is on the screen, and again when the page comes back to sight. */
  contentShown(sight: string): void;
  /** To be told when a part of the content is not rendered yet. */
  contentGrows(): void;
  open(cuts: readonly string[]): void;
  confirmBlind(isConfirmed: boolean): void;
  /** Each gives the run as it stands afterwards; null = nothing was done, the state says why. */
  approve(): Promise<RunDetailView | null>;
  deny(reason: DenialReason | null): Promise<RunDetailView | null>;
  /** Typing takes its time, so this waits for none. */
  answer(answers: FilledAnswers): Promise<RunDetailView | null>;
  cancel(): Promise<RunDetailView | null>;
}

export type FilledAnswers = InputOf<'runs.submitInput'>['answers'];

const bindingOf = ({ runId, turnDigest, previewRevision }: PendingDecisionView): ShownCard => ({
  runId,
  turnDigest,
  previewRevision,
});

const NOTHING_OPENED = { opened: new Set<string>(), isBlindConfirmed: false, isArmed: false };

const FIRST: CardState = {
  card: undefined,
  loadFault: null,
  cuts: [],
  ...NOTHING_OPENED,
  hasChanged: false,
  sending: null,
  refused: null,
  fault: null,
  isDone: false,
};

/**
 * Follows the card of a run and sends decisions about exactly what it shows. Other
 * content takes back every opened part and the confirmation, and cannot be decided
 * before it has stood for 400 ms. One action is on its way at a time.
 */
export const createCardStore = (
  client: HostClient,
  runId: string,
  after: After,
  claims: () => TriggerClaims,
): CardStore => new FollowedCard(client, runId, after, claims);

class FollowedCard implements CardStore {
  readonly store = createStore<CardState>(() => FIRST);
  readonly #client: HostClient;
  readonly #runId: string;
  readonly #after: After;
  /** What the page says of how a decision is made. */
  readonly #claims: () => TriggerClaims;
  readonly #resource: Resource<PendingDecisionView | null>;
  #stopArming = (): void => undefined;

  constructor(client: HostClient, runId: string, after: After, claims: () => TriggerClaims) {
    this.#client = client;
    this.#runId = runId;
    this.#after = after;
    this.#claims = claims;
    this.#resource = createResource(
      () => client.query('runs.pendingDecision', { runId }),
      (changed) => onRunChanged(client, runId, changed),
    );
  }

  follow(): () => void {
    const stopListening = this.#resource.store.subscribe(({ value, fault }) => {
      this.store.setState({ loadFault: fault });
      this.#take(value);
    });
    const stopFollowing = this.#resource.follow();
    return () => {
      stopFollowing();
      stopListening();
      this.#disarm();
    };
  }

  reload(): Promise<void> {
    return this.#resource.reload();
  }

  contentShown(sight: string): void {
    this.#disarm();
    this.#stopArming = this.#after(ARMING_MS, () => {
      const { card, opened } = this.store.getState();
      if (card && sightKey(card, opened) === sight) this.store.setState({ isArmed: true });
    });
  }

  contentGrows(): void {
    this.#disarm();
  }

  open(cuts: readonly string[]): void {
    this.#disarm();
    this.store.setState(({ opened }) => ({ opened: new Set([...opened, ...cuts]) }));
  }

  confirmBlind(isBlindConfirmed: boolean): void {
    this.store.setState({ isBlindConfirmed });
  }

  async approve(): Promise<RunDetailView | null> {
    const shown = this.#decidable(approvalHold);
    if (!shown) return null;
    const command = { ...shown, claims: this.#claims(), confirmsBlind: this.store.getState().isBlindConfirmed };
    return this.#send('approve', () => this.#client.command('runs.approve', command));
  }

  async deny(reason: DenialReason | null): Promise<RunDetailView | null> {
    const shown = this.#decidable(denialHold);
    const command = shown && { ...shown, claims: this.#claims(), reason, note: '' };
    return command && this.#send('deny', () => this.#client.command('runs.deny', command));
  }

  async answer(answers: FilledAnswers): Promise<RunDetailView | null> {
    const { card, sending, isDone } = this.store.getState();
    if (!card || card.answerBar || sending !== null || isDone) return null;
    const command = { ...bindingOf(card), claims: this.#claims(), answers };
    return this.#send('answer', () => this.#client.command('runs.submitInput', command));
  }

  async cancel(): Promise<RunDetailView | null> {
    const { sending, isDone } = this.store.getState();
    if (sending !== null || isDone) return null;
    return this.#send('cancel', () => this.#client.command('runs.cancel', { runId: this.#runId }));
  }

  #disarm(): void {
    this.#stopArming();
    this.store.setState({ isArmed: false });
  }

  #take(card: PendingDecisionView | null | undefined): void {
    const { card: former } = this.store.getState();
    if (card === former) return;
    const isOther = !card || !former || contentKey(card) !== contentKey(former);
    if (isOther) {
      this.#disarm();
      this.store.setState({ ...NOTHING_OPENED, cuts: card ? cutsOf(card) : [] });
    }
    if (card && isOther && former !== undefined) this.store.setState({ hasChanged: true, isDone: false });
    this.store.setState({ card });
  }

  /** What binds a decision to the card on the screen; null = it cannot be decided now. */
  #decidable(hold: typeof approvalHold): ShownCard | null {
    const { card, isArmed, sending, isDone, ...rest } = this.store.getState();
    if (!card || !isArmed || sending !== null || isDone) return null;
    const isConnected = this.#client.connection.getState() === 'connected';
    if (hold({ ...rest, card, isConnected }) !== null) return null;
    return bindingOf(card);
  }

  async #send(action: Action, command: () => Promise<Answer>): Promise<RunDetailView | null> {
    this.store.setState({ sending: action, refused: null, fault: null });
    try {
      const answer = await command();
      if (answer.ok) {
        this.store.setState({ isDone: true });
        return answer.value;
      }
      this.store.setState({ refused: { action, refusal: answer.refusal } });
    } catch (error) {
      this.store.setState({ fault: asHostFault(error) });
    } finally {
      this.store.setState({ sending: null });
    }
    // Whatever the reason was: what is on the screen may not be how it stands.
    await this.reload();
    return null;
  }
}

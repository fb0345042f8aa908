import type { PendingCallView, PendingDecisionView } from '../../../src-shared/views/pending-decision-view.ts';
import type { Refusal } from '../../../src-shared/refusals.ts';
import { isBlindPreview } from '../../../src-shared/blind-preview.ts';
import { isCut } from '../../components/cut-text.ts';
import { hasInvisible } from '../../../src-shared/plain-text.ts';
import { previewCuts } from '../../components/preview-cuts.ts';

/** How long a card stands before it can be decided: nobody decides what has just appeared under their hand. Source: ux.md principle 4. */
export const ARMING_MS = 400;

/** What binds a decision to what is on the screen. Another key is another card. */
export const contentKey = ({ turnDigest, previewRevision }: PendingDecisionView): string =>
  `${turnDigest}/${previewRevision}`;

/** What of it is on the screen: opening a part puts more there, which wants its own time to be seen. */
export const sightKey = (card: PendingDecisionView, opened: ReadonlySet<string>): string =>
  `${contentKey(card)}/${opened.size}`;

const isWrite = ({ effect }: PendingCallView): boolean => effect !== 'read_only';

/** Whether the turn writes anything. */
export const writes = ({ calls }: PendingDecisionView): boolean => calls?.some(isWrite) ?? false;

/** Whether the person cannot see what a call would change, or with which values it is made. Approving it takes a confirmation. */
export const isBlind = (call: PendingCallView): boolean =>
  call.withheld !== null || (isWrite(call) && isBlindPreview(call.preview));

/** Arguments as a person reads them. Deep nesting is not indented any further: blanks would be all there is to see. */
export const argumentText = ({ arguments: given }: PendingCallView): string =>
  JSON.stringify(given, null, 2).replaceAll(/^ {40,}/gm, ' '.repeat(40));

/** Whether a call shows its arguments without being asked: there is no other sight of it. */
export const showsArguments = (call: PendingCallView): boolean =>
  call.withheld === null && (call.preview === null || isBlind(call));

const ARGUMENTS_CUT = 'arguments';
const cutName = (callIndex: number, part: string): string => `${callIndex}/${part}`;

/** Name of the arguments of a call among the shortened parts. */
export const argumentsCut = (callIndex: number): string => cutName(callIndex, ARGUMENTS_CUT);
/** Begins the names of all shortened parts of one call. */
export const cutPrefix = (callIndex: number): string => cutName(callIndex, '');

/** Every part of the card that is shown shortened at first and that the decision is about. */
export function cutsOf({ calls }: PendingDecisionView): string[] {
  return (calls ?? []).flatMap((call, index) => [
    ...(call.preview ? previewCuts(call.preview).map((cut) => cutName(index, cut)) : []),
    ...(showsArguments(call) && isCut(argumentText(call)) ? [argumentsCut(index)] : []),
  ]);
}

/** Whether anything on the card holds characters that a font would hide or that would reorder the text. */
export const holdsInvisible = ({ calls, questions, label, assistantText }: PendingDecisionView): boolean =>
  hasInvisible([calls, questions, label, assistantText]);

/** What the rules need to know of a card on the screen. */
export interface CardFacts {
  card: PendingDecisionView;
  /** Names of the parts that are shown shortened. */
  cuts: readonly string[];
  opened: ReadonlySet<string>;
  isBlindConfirmed: boolean;
  isConnected: boolean;
}

/** Why Approve cannot be pressed, in the order in which a person can do something about it. */
export type Hold =
  | { kind: 'disconnected' }
  | { kind: 'unreadable' }
  /** It wants answers, not a decision. */
  | { kind: 'questions' }
  | { kind: 'bar'; refusal: Refusal }
  | { kind: 'cuts'; closed: string[] }
  | { kind: 'blind' };

/** What keeps this card from being approved on this page; null = nothing. The host asks everything again. */
export function approvalHold({ card, cuts, opened, isBlindConfirmed, isConnected }: CardFacts): Hold | null {
  if (!isConnected) return { kind: 'disconnected' };
  if (card.calls === null) return { kind: 'unreadable' };
  if (card.questions.length > 0) return { kind: 'questions' };
  if (card.approvalBar) return { kind: 'bar', refusal: card.approvalBar };
  const closed = cuts.filter((cut) => !opened.has(cut));
  if (closed.length > 0) return { kind: 'cuts', closed };
  if (card.calls.some(isBlind) && !isBlindConfirmed) return { kind: 'blind' };
  return null;
}

/** What keeps this card from being denied. Less than from being approved: a "no" needs no preview. */
export function denialHold({ card, isConnected }: CardFacts): Hold | null {
  if (!isConnected) return { kind: 'disconnected' };
  if (card.calls === null) return { kind: 'unreadable' };
  return card.questions.length > 0 ? { kind: 'questions' } : null;
}

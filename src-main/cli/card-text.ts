import type { FieldChange, Preview } from '../../src-shared/preview.ts';
import type {
  PendingCallView,
  PendingDecisionView,
  PendingQuestionView,
} from '../../src-shared/views/pending-decision-view.ts';
import { describeTarget } from '../../src-shared/write-target.ts';
import {
  askedValues,
  questionTitle,
  type AskedKind,
  type AskedLimit,
  type LimitKeyword,
} from '../../src-shared/asked-values.ts';
import { EFFECT_WORDS } from '../../src-shared/effect-words.ts';
import { isBlindPreview } from '../../src-shared/blind-preview.ts';
import type { UnreadableReason } from '../../src-shared/vocabulary.ts';
import { hasInvisible, plainLine } from '../../src-shared/plain-text.ts';
import { expiryWords } from './expiry-words.ts';
import { localTime, plainLines, quotedLine } from './terminal-text.ts';

/** The card at a terminal: who asks, what would change, and the two values that bind a decision to exactly this. */
export function cardLines(card: PendingDecisionView, nowMs: number): string[] {
  const lines = [
    `Run        ${card.runId}`,
    `Label      ${plainLine(card.label)}`,
    `Waiting    since ${localTime(card.waitingSinceMs)}; configuration ${plainLine(card.configuration)}; started by ${plainLine(card.initiatorName) || 'nobody'}`,
    ...(card.expiresAtMs > 0
      ? [`Expires    ${expiryWords(card.expiresAtMs, nowMs)}: ${localTime(card.expiresAtMs)}, if nobody decides`]
      : []),
    `Spent      ${card.rounds} of ${card.maxRounds} rounds, ${card.inputTokens} + ${card.outputTokens} tokens`,
    ...(card.bounceCount > 0
      ? [
          `AGAIN      ${card.bounceCount === 1 ? 'An approval' : `${card.bounceCount} approvals`} came back: the target had changed or could not be compared. Nothing was written. This is how it stands now.`,
        ]
      : []),
    ...(card.request ? ['Request', ...plainLines(card.request).map((line) => `           ${line}`)] : []),
    ...(card.assistantText ? ['It says', ...plainLines(card.assistantText).map((line) => `           ${line}`)] : []),
  ];
  if (card.calls === null) {
    return [
      ...lines,
      `${UNREADABLE[card.unreadable ?? 'state_unreadable']} It can only be cancelled: cancel ${card.runId}`,
    ];
  }
  const questions = card.questions.flatMap((question) => questionLines(question, card.questions.length > 1));
  const calls =
    card.questions.length > 0
      ? questions
      : card.calls.flatMap((call, index) => callLines(call, index, card.calls?.length ?? 1));
  const warning = hasInvisible([card.calls, card.questions])
    ? ['', 'CAREFUL    This turn holds invisible or reordering characters; they are shown as \\u{…}.']
    : [];
  return [...lines, ...calls, ...warning, '', `Digest     ${card.turnDigest}`, `Revision   ${card.previewRevision}`];
}

const UNREADABLE: Record<UnreadableReason, string> = {
  state_unreadable: 'The stored turn cannot be read.',
  other_form: 'The turn was stored by another release, which can show it.',
  schema_not_renderable: 'What it asks makes no form that could be filled in and sent.',
  schema_no_fields: 'It asks without saying for which values.',
  no_pending_calls: 'It waits for a decision about nothing.',
};

/** One question with what each value may be; the id of its call where there are several. */
function questionLines(question: PendingQuestionView, isOneOfMany: boolean): string[] {
  const call = isOneOfMany ? `  (call ${plainLine(question.callId)})` : '';
  return [
    '',
    `Question   ${plainLine(questionTitle(question))}${call}`,
    ...askedValues(question.schema).flatMap(
      ({ name, label, kind, options, isRequired, description, limits, suggestion }) => [
        `  ${plainLine(name)}: ${plainLine(label)} (${[KIND_WORDS[kind], ...limits.map(limitWords), ...(isRequired ? [] : ['may be left out'])].join(', ')})`,
        ...(description ? [`    ${plainLine(description)}`] : []),
        ...(suggestion ? [`    suggested: ${quotedLine(suggestion)}`] : []),
        ...options.map((option, index) => `    ${index + 1}  ${quotedLine(option.label)}`),
      ],
    ),
  ];
}

const limitWords = ({ keyword, limit }: AskedLimit): string => plainLine(`${LIMIT_WORDS[keyword]} ${limit}`);

const LIMIT_WORDS: Record<LimitKeyword, string> = {
  minLength: 'characters at least',
  maxLength: 'characters at most',
  pattern: 'fitting the pattern',
  format: 'meant as',
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  minItems: 'entries at least',
  maxItems: 'entries at most',
};

const KIND_WORDS: Record<AskedKind, string> = {
  text: 'text',
  whole_number: 'whole number',
  number: 'number',
  yes_no: 'yes or no',
  choice: 'one of these',
  several: 'some of these, by their numbers with commas, or [] for none',
  json: 'JSON',
};

function callLines(call: PendingCallView, index: number, count: number): string[] {
  const target = call.target ? `  ${plainLine(describeTarget(call.target))}` : '';
  return [
    '',
    `Call ${index + 1}/${count}   ${plainLine(call.toolName)}  (${EFFECT_WORDS[call.effect]})`,
    ...(target ? [`  Target${target}${call.place ? `  in ${plainLine(call.place)}` : ''}`] : []),
    ...(call.isStale
      ? [
          call.preview?.kind === 'failed'
            ? '  COULD NOT BE COMPARED with what was approved; nothing was written.'
            : '  CHANGED since the approval; nothing was written.',
        ]
      : []),
    ...(call.edit && !call.withheld
      ? [
          '  EDITED by a person; the model had asked for:',
          ...plainLines(JSON.stringify(call.edit.original, null, 2)).map((line) => `  ${line}`),
        ]
      : []),
    ...callBody(call),
  ];
}

function callBody(call: PendingCallView): string[] {
  if (call.withheld) {
    const parts = call.withheld.map(({ name, bytes }) => `    ${plainLine(name)}: ${bytes} bytes`);
    return ['  WITHHELD: you may not use this tool yourself. It was asked for with:', ...parts];
  }
  if (call.effect === 'read_only') return argumentLines(call);
  if (!isBlindPreview(call.preview)) return shownLines(call.preview);
  return [
    '  DECIDING WITHOUT PREVIEW',
    ...shownLines(call.preview),
    '  It was asked for with:',
    ...argumentLines(call),
  ];
}

/** What there is to see of a change: the change, why there is none, or that there is none. */
function shownLines(preview: Preview | null): string[] {
  if (preview === null) return ['  There is no preview.'];
  return preview.kind === 'failed' ? [`  ${plainLine(preview.reason)}`] : previewLines(preview);
}

const argumentLines = (call: PendingCallView): string[] =>
  plainLines(JSON.stringify(call.arguments, null, 2)).map((line) => `  ${line}`);

function previewLines(preview: Exclude<Preview, { kind: 'failed' }>): string[] {
  const notes = preview.notes.map((note) => `  note: ${plainLine(note)}`);
  if (preview.kind === 'record')
    return [`  ${preview.action} a record:`, ...preview.changes.flatMap(fieldLines), ...notes];
  return [
    `  ${preview.action}: ${preview.sizeBytesBefore ?? 0} -> ${preview.sizeBytesAfter ?? 0} bytes`,
    ...preview.diff.split('\n').map((line) => `  ${plainLine(line)}`),
    ...notes,
  ];
}

function fieldLines({ field, before, after }: FieldChange): string[] {
  const shown = (value: FieldChange['before']): string =>
    value === undefined
      ? '(nothing)'
      : value === null
        ? 'NULL'
        : typeof value === 'string'
          ? quotedLine(value)
          : String(value);
  return [`  ${plainLine(field)}`, `    - ${shown(before)}`, `    + ${shown(after)}`];
}

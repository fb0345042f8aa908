import type { AnswerProblem, FieldProblem, Refusal } from '../../src-shared/refusals.ts';
import type { RunStatus } from '../../src-shared/vocabulary.ts';

const MOVED_ON = 'The run moved on meanwhile. See: show RUN';

type Sentences = { [K in Refusal['kind']]: (refusal: Extract<Refusal, { kind: K }>) => string };

const SENTENCES: Sentences = {
  not_awaiting_approval: () => 'This run does not wait for a decision, or you may not decide it. See: inbox',
  not_awaiting_input: () => 'This run does not wait for an answer, or you may not answer it. See: inbox',
  already_decided: (refusal) => `This turn was decided already; the run is ${refusal.status}. See: show RUN`,
  unknown_run: () => 'There is no such run, or it is not yours to use. See: inbox',
  already_ended: (refusal) => `This run has ended already (${refusal.status}). Nothing was changed.`,
  already_started: () => 'A run of this id was started already. See: inbox',
  configuration_gone: (refusal) =>
    `The configuration ${refusal.configuration || 'of this run'} does not exist. Create it with: connect`,
  configuration_inactive: (refusal) =>
    `The configuration ${refusal.configuration} is switched off. Switch it on, then decide again.`,
  second_approver_required: (refusal) =>
    `The configuration ${refusal.configuration} wants a second person for approvals. You can still deny.`,
  state_unreadable: () =>
    'The stored turn cannot be read, so nobody can decide it. You can cancel the run; check the chain with: verify',
  stale_turn: () =>
    'The decision names no turn or another one. Look at the card with: show RUN — and give its --digest and --revision.',
  stale_preview: (refusal) =>
    `The card has changed since you looked (it is at revision ${refusal.currentRevision} now). Look again with: show RUN`,
  stale_tool: (refusal) =>
    `The tool ${refusal.toolName} is not the one this card was made for. Renew the card with: edit RUN — and look again with: show RUN`,
  blind_not_confirmed: (refusal) =>
    `You cannot see what ${refusal.toolNames.join(', ')} would do. To approve it all the same: --without-preview`,
  no_such_call: () => 'The turn has no such call. See: show RUN',
  invalid_arguments: (refusal) =>
    `The arguments do not fit ${refusal.toolName}: ${refusal.problems.join('; ')}. Nothing was changed.`,
  approver_not_permitted: (refusal) =>
    `You may not use ${refusal.toolName} yourself (${refusal.reason}), so you may not release it. The run still waits.`,
  submitter_not_permitted: (refusal) =>
    `You may not use ${refusal.toolName} yourself (${refusal.reason}), so you may not answer for it. The run still waits.`,
  invalid_input: (refusal) =>
    ['The answers do not fit; none was used.', ...refusal.problems.map(answerSentence)].join(' '),
  withdraw_window_over: () => 'It is too late to take this approval back: the write may have started.',
  not_delayed: (refusal) => notDelayedSentence(refusal.status),
  not_waiting: (refusal) => `The run does not wait for a person; it is ${refusal.status}. Nothing was changed.`,
  no_uncertain_write: () =>
    'No write of this run is uncertain under that call, or somebody settled it already. See: inbox',
  restored: (refusal) => restoredSentence(refusal),
  not_restored: (refusal) => restoredSentence(refusal),
  no_receipt: ({ decisionNumber, why }) => NO_RECEIPT[why](decisionNumber),
  paused: () => 'Everything is paused. Go on with: resume',
  invalid_request: (refusal) => refusal.problems.map(problemSentence).join(' '),
  operator_unavailable: () => 'Your account is not known here or is switched off.',
  not_administrator: () => 'Only an administrator may do this.',
  unknown_person: () => 'There is nobody of that name. See: operator',
  last_administrator: () => 'Nobody would be left who can look after the installation. Nothing was changed.',
  proof_refused: () => 'That is not the passphrase of a person who may act here.',
  too_many_attempts: (refusal) =>
    `Too many wrong passphrases for this name. Try again in ${Math.ceil(refusal.waitMs / 60_000)} minutes.`,
  no_worker: () => 'No worker is running. Start one with: worker — or: serve',
  lease_lost: () => MOVED_ON,
  run_cancelled: () => MOVED_ON,
  store_busy: (refusal) =>
    `Another process kept the database locked for ${refusal.waitedMs} ms. Nothing was changed; try again.`,
};

/** What a refusal means and what to do next, for people at a terminal. */
export function refusalSentence<K extends Refusal['kind']>(refusal: Extract<Refusal, { kind: K }>): string {
  const sentence = SENTENCES[refusal.kind] as (refusal: Extract<Refusal, { kind: K }>) => string;
  return sentence(refusal);
}

const NO_RECEIPT: Record<Extract<Refusal, { kind: 'no_receipt' }>['why'], (decisionNumber: number) => string> = {
  undecided: () => 'Nobody has decided about this run yet, so there is no receipt.',
  no_such_decision: (number) => `The run has no decision ${number}. See: events RUN`,
  not_taken_up: (number) => `Decision ${number} has no receipt yet: it is signed when a worker takes the run up.`,
  never_taken_up: (number) =>
    `Decision ${number} has no receipt: it was taken back or the run ended before a worker took it up, or it was made before there were receipts.`,
  damaged: (number) =>
    `The receipt of decision ${number} was signed, and is missing or was changed since. Check the file with: verify`,
};

const notDelayedSentence = (status: RunStatus): string =>
  status === 'queued'
    ? 'The run is due already; a worker takes it as soon as one is free.'
    : `The run does not wait for its next try; it is ${status}. See: show RUN`;

const restoredSentence = (refusal: Extract<Refusal, { kind: 'restored' | 'not_restored' }>): string =>
  refusal.kind === 'restored'
    ? 'The database was put back from a copy, and this run may have gone on elsewhere since. An administrator lets it go on with: release RUN'
    : `The run is not held for having been restored; it is ${refusal.status}. See: show RUN`;

const ANSWER_PROBLEMS: Record<AnswerProblem['problem'], string> = {
  missing: 'is not answered',
  not_asked: 'was not asked',
  wrong_type: 'is of another type than the one asked for',
  not_an_option: 'is none of the options',
  too_long: 'is too long',
  too_short: 'is too short',
  out_of_range: 'is out of range',
  not_storable: 'holds something that cannot be stored as JSON, for example half of a character',
  took_too_long: 'could not be judged in time; a shorter answer may be',
  not_valid: 'does not fit the question',
};

function answerSentence({ callId, field, problem, limit }: AnswerProblem): string {
  const bound = limit === undefined ? '' : ` (limit ${limit})`;
  return `${field || `The answer to ${callId}`} ${ANSWER_PROBLEMS[problem]}${bound}.`;
}

const FIELDS: Record<string, string> = {
  maxRounds: 'The round limit',
  label: 'The label',
  prompt: 'The request',
  request: 'The request',
  identifier: 'The name',
  baseUrl: 'The address',
  modelId: 'The model name',
  sampleFolder: 'The folder of the sample site',
  key: 'The API key',
  systemPrompt: 'The system prompt',
  name: 'The name',
  passphrase: 'The passphrase',
};

/** One thing that was entered and cannot be used, as a sentence. */
export function problemSentence({ field, problem, limit }: FieldProblem): string {
  const subject = (Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined) ?? field;
  switch (problem) {
    case 'missing':
      return `${subject} is empty.`;
    case 'too_long':
      return `${subject} is longer than ${limit} characters.`;
    case 'too_short':
      return `${subject} is shorter than ${limit} characters.`;
    case 'invisible':
      return `${subject} must be one line without invisible characters.`;
    case 'out_of_range':
      return `${subject} must be a whole number from 1 to ${limit}.`;
    case 'bad_name':
      return `${subject} starts with a small letter and holds small letters, digits, - and _.`;
    case 'name_taken':
      return `${subject} is in use already.`;
    case 'named_twice':
      return `${subject} is given twice.`;
    case 'not_http_address':
      return `${subject} must be an http or https address, e.g. http://127.0.0.1:11434/v1`;
    case 'address_holds_key':
      return `${subject} must not hold a name or password.`;
    case 'no_such_file':
      return `${subject}: there is no such file.`;
    case 'no_such_folder':
      return `${subject}: there is no such folder.`;
    case 'reserved_path':
      return `${subject} is reserved for the console itself; an agent cannot get it.`;
    case 'not_absolute':
      return `${subject} must be a whole path, from the root of the file system.`;
    case 'key_bound_to_address':
      return 'The stored key belongs to the address it was entered for. Enter the key again for the new address.';
    case 'not_valid':
      return `${subject} is not valid. See: configuration NAME`;
    case 'not_storable':
      return `${subject} holds something that cannot be stored as JSON, for example half of a character.`;
  }
}

import type { Mutant } from './mutant.ts';

/** A gate of human decisions taken out. */
export const gate = (name: string, file: string, text: string, instead: string, ...tests: string[]): Mutant => ({
  name,
  group: 'gate',
  file,
  text,
  instead,
  tests,
});

const GATES = 'src-main/domain/decision-gates.ts';
const DECIDE = 'src-main/domain/decide-rules.ts';
const CARD = 'src-main/runtime/pending-decision.ts';
const EDIT = 'src-main/domain/edit-rules.ts';
const RESUME = 'src-main/runtime/resume-turn.ts';
const RULES = ['test/domain/decide-rules.test.ts', 'test/domain/decide-permissions.test.ts'];
const TOOLS = [
  'test/tools/footprint-binding.test.ts',
  'test/tools/last-look.test.ts',
  'test/tools/files.test.ts',
  'test/tools/records-write.test.ts',
];
const QUESTIONS = 'src-main/domain/question-rules.ts';
const ANSWERS = ['test/domain/submit-rules.test.ts', 'test/domain/question-rules.test.ts'];

const PEOPLE = 'src-main/domain/people-rules.ts';
const PEOPLE_STORE = 'src-main/store/sqlite-people-store.ts';
const PASSPHRASE = 'src-main/system/passphrase.ts';

/** Who there is, and how they prove that they are it. */
const PEOPLE_GATES: Mutant[] = [
  gate(
    'people are added by administrators',
    PEOPLE,
    'if (barred) return barred;\n  const problems',
    'const problems',
    'test/domain/people-rules.test.ts',
  ),
  gate(
    'people are changed by administrators',
    PEOPLE,
    'if (barred) return barred;\n  const before',
    'const before',
    'test/domain/people-rules.test.ts',
  ),
  gate(
    'the last administrator',
    PEOPLE,
    "if (![person, ...others].some(isAdministrator)) return refused({ kind: 'last_administrator' });",
    '',
    'test/domain/people-rules.test.ts',
  ),
  gate(
    'a passphrase of another is set by administrators',
    PEOPLE,
    '&& operator.id === person?.id;',
    ';',
    'test/domain/people-rules.test.ts',
  ),
  gate(
    'too many proofs',
    PEOPLE_STORE,
    "if (waitMs > 0) return refused({ kind: 'too_many_attempts', waitMs });",
    '',
    'test/store/people.test.ts',
  ),
  gate(
    'a proof counts before it is compared',
    PEOPLE_STORE,
    "statements.get('insert into failed_proofs (name_digest, at_ms) values (?, ?)').run(digest, nowMs);",
    '',
    'test/store/people.test.ts',
  ),
  gate(
    'who is switched off proves nothing',
    PEOPLE_STORE,
    'if (isRight && person?.isEnabled)',
    'if (isRight && person)',
    'test/store/people.test.ts',
  ),
  gate(
    'a wrong passphrase',
    PASSPHRASE,
    'return hash.length === found.length && timingSafeEqual(hash, found);',
    'return hash.length === found.length && timingSafeEqual(found, found);',
    'test/system/passphrase.test.ts',
  ),
  gate(
    'the same work for nobody',
    PASSPHRASE,
    'const compared = proof ?? NOBODY;',
    'if (!proof) return false;\n  const compared = proof ?? NOBODY;',
    'test/system/passphrase.test.ts',
  ),
];

export const GATE_MUTANTS: Mutant[] = [
  ...PEOPLE_GATES,
  gate(
    'access',
    GATES,
    "if (!run || !mayActOnRun(actor, operator, run, 'agent:approve')) return notAwaiting;",
    'if (!run) return notAwaiting;',
    ...RULES,
  ),
  gate(
    'configuration is there',
    GATES,
    "if (!configuration) return { kind: 'configuration_gone'",
    "if (run === undefined) return { kind: 'configuration_gone'",
    ...RULES,
  ),
  gate('configuration is active', GATES, 'if (!configuration.isActive)', 'if (run === undefined)', ...RULES),
  gate('second person', DECIDE, 'if (!input.approved) return null;', 'return null;', ...RULES),
  gate(
    'digest',
    GATES,
    "if (!sameDigest(turnBinding(turn), card.turnDigest)) return { kind: 'stale_turn' };",
    '',
    ...RULES,
  ),
  gate(
    'revision',
    GATES,
    'if (card.previewRevision !== run.previewRevision) {',
    'if (card.previewRevision !== run.previewRevision && false) {',
    ...RULES,
  ),
  gate(
    'approver permission',
    DECIDE,
    'const notApproved = input.approved ? approvalRefusal',
    'const notApproved = input.approved && false ? approvalRefusal',
    ...RULES,
  ),
  gate(
    'permission of service accounts',
    GATES,
    "if (actor.kind !== 'operator') return { toolName: name, reason: 'serviceAccount' };",
    '',
    ...RULES,
  ),
  gate(
    'permission of disabled people',
    GATES,
    "if (!operator?.isEnabled) return { toolName: name, reason: 'accountUnavailable' };",
    '',
    ...RULES,
  ),
  gate('decision event', DECIDE, 'events: [approvalEvent(decision, turn, input)],', 'events: [],', ...RULES),
  gate(
    'decision is bound when it is carried out',
    RESUME,
    'if (!isBound(segment, turn, decision)) return endUnreadable(segment);',
    '',
    'test/runtime/resume.test.ts',
    'test/runtime/decisions-over-time.test.ts',
  ),
  gate('comparator', RESUME, 'if (bounced) return bounced;', '', 'test/runtime/bounce.test.ts'),
  gate(
    'footprint before: records',
    'src-main/tools/builtin/record-plan.ts',
    'if (!sameDigest(footprint.before, expected.before)) return changed();',
    '',
    ...TOOLS,
  ),
  gate(
    'footprint after: records',
    'src-main/tools/builtin/record-plan.ts',
    'if (footprint.after !== expected.after) return changed();',
    '',
    ...TOOLS,
  ),
  gate(
    'footprint before: files',
    'src-main/tools/builtin/file-plan.ts',
    'if (!sameDigest(footprint.before, expected.before)) return changed();',
    '',
    ...TOOLS,
  ),
  gate(
    'footprint after: files',
    'src-main/tools/builtin/file-plan.ts',
    'if (!sameDigest(footprint.after, expected.after)) return changed();',
    '',
    ...TOOLS,
  ),
  gate(
    'no write without a footprint',
    'src-main/tools/tool-host.ts',
    'if (isWrite && request.expected === null) {',
    'if (isWrite && false) {',
    'test/tools/tool-host.test.ts',
  ),
  gate(
    'a failed preview releases nothing',
    'src-main/runtime/run-call.ts',
    "preview && preview.preview.kind !== 'failed' ? preview.footprint : null;",
    'preview?.footprint ?? null;',
    'test/runtime/bounce.test.ts',
  ),
  gate(
    'fence',
    'src-main/runtime/run-call.ts',
    '  if (stop) return stop;\n  const startedMs',
    '  const startedMs',
    'test/runtime/fence-and-lease.test.ts',
  ),
  gate(
    'offered once more before it runs',
    RESUME,
    'if (!definition) return `Error: ${name} is not permitted any more. Nothing was executed.`;',
    '',
    'test/runtime/resume.test.ts',
  ),
  gate(
    'values for who may use the tool',
    CARD,
    '&& toolDenial(definition, configuration, operator) === null;',
    ';',
    'test/runtime/card-release.test.ts',
  ),
  gate(
    'values for people only',
    CARD,
    'operator !== null && configuration',
    'configuration',
    'test/runtime/card-release.test.ts',
  ),
  gate('tools as shown, when decided', DECIDE, '?? changedToolRefusal(turn, input.tools)', '', ...RULES),
  gate(
    'tools as shown, before they run',
    RESUME,
    'const redefined = compared.filter((call) => !isAsShown(turn, offered.get(call.name) as ToolDefinition));',
    'const redefined: typeof compared = [];',
    'test/runtime/edit-card.test.ts',
  ),
  gate(
    'blindness is confirmed',
    DECIDE,
    'const blind = input.confirmsBlind ? []',
    'const blind = input.confirmsBlind || true ? []',
    ...RULES,
  ),
  gate(
    'second person: not who edited',
    DECIDE,
    'if (!isInitiator(input.actor, run) && !hasEdited) return null;',
    'if (!isInitiator(input.actor, run)) return null;',
    ...RULES,
  ),
  gate(
    'the word yes',
    'src-main/cli/decide-commands.ts',
    "if (answer?.trim().toLowerCase() !== 'yes') {",
    'if (answer === null) {',
    'test/cli/decide-commands.test.ts',
  ),
  gate(
    'declined before',
    'src-main/runtime/turn-card.ts',
    'deniedBefore(segment.transcript(), call) > 0',
    'false',
    'test/runtime/edit-card.test.ts',
  ),
  gate(
    'edit: access',
    EDIT,
    "accessRefusal(facts, input.actor, 'waiting_for_approval') ?? configurationRefusal(facts)",
    'configurationRefusal(facts)',
    'test/domain/edit-rules.test.ts',
  ),
  gate('edit: card', EDIT, 'staleRefusal(run, turn, input) ?? ', '', 'test/domain/edit-rules.test.ts'),
  gate('edit: permission', EDIT, 'if (forbidden) return', 'if (false) return', 'test/domain/edit-rules.test.ts'),
  gate(
    'an answer approves nothing',
    RESUME,
    "if (decision.kind === 'input' && needsApproval(definition))",
    'if (false)',
    'test/runtime/questions.test.ts',
    'test/runtime/resume.test.ts',
  ),
  gate(
    'submitter',
    'src-main/domain/submit-rules.ts',
    '?? submitterBar(facts, input.actor, input.tools)',
    '',
    ...ANSWERS,
  ),
  gate(
    'answers are judged',
    'src-main/domain/submit-rules.ts',
    'if (problems.length > 0)',
    'if (problems.length > 1_000)',
    ...ANSWERS,
  ),
  gate(
    'answers out of time are refused',
    QUESTIONS,
    '...(judged ? judged.value : tookTooLong(current as Part)),',
    '...(judged?.value ?? []),',
    ...ANSWERS,
  ),
  gate('texts of people are bounded', QUESTIONS, 'text.length > MAX_ANSWER_LENGTH', 'text.length < 0', ...ANSWERS),
  gate('answers to nothing asked', QUESTIONS, '...strangers.map(', '...[].map(', ...ANSWERS),
  gate(
    'questions that make no form: stored',
    'src-main/domain/submit-rules.ts',
    "if (unreadableReason(turn)) return refused({ kind: 'state_unreadable' });",
    '',
    ...ANSWERS,
    'test/runtime/questions.test.ts',
  ),
  gate(
    'questions that can never be sent',
    'src-main/domain/question-shape.ts',
    'if (requiredKeys(schema).some((key) => !mayBeFilledIn(schema, key)))',
    'if (false)',
    'test/domain/question-shape.test.ts',
  ),
  gate(
    'nothing unjudged under __proto__',
    'src-main/domain/schema-judge.ts',
    'if (namesPrototype(schema))',
    'if (false)',
    'test/domain/schema-judge.test.ts',
  ),
  gate(
    'own properties only',
    'src-main/domain/schema-judge.ts',
    'ownProperties: true,',
    '',
    'test/domain/second-validator.test.ts',
  ),
  gate(
    'overlay: nothing of the model',
    QUESTIONS,
    '.filter(([key]) => !declared.has(key))',
    '.filter(() => true)',
    ...ANSWERS,
  ),
  gate(
    'overlay: nothing undeclared',
    QUESTIONS,
    '.filter((key) => Object.hasOwn(values, key));\n  return Object.fromEntries(declared',
    '.filter((key) => Object.hasOwn(values, key));\n  return Object.fromEntries([...declared, ...Object.keys(values)]',
    ...ANSWERS,
  ),
];

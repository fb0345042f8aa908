import type { Actor, Operator } from './actor.ts';
import type { Configuration, ConfigurationSettings } from './configuration.ts';
import { digest } from './digest.ts';
import type { Decision, PendingTurn, RunRecord, Trigger } from './run.ts';
import type { ToolDefinition } from './tool.ts';
import { trustZoneOf } from './trust-zone.ts';
import { isAsShown, previewDigest } from './turn-rules.ts';

/** The form of a receipt; another set of members is another form. Form 1 (of 1) is the first. */
export const RECEIPT_FORMAT = 'countersign-receipt/1';

/** What is known when a decision is taken up. */
export interface ReceiptFacts {
  run: RunRecord;
  turn: PendingTurn;
  decision: Decision;
  /** The rules in force; null = the configuration is gone. */
  configuration: Configuration | null;
  /** Whoever started the run and whoever decided, as their rows say now; null = no person, or gone. */
  initiator: Operator | null;
  decider: Operator | null;
  /** The registry as it is now. */
  tools: ToolDefinition[];
  /** Of the installation that signs, hex. */
  publicKey: string;
  nowMs: number;
}

/**
 * One decision as somebody can check it later who has nothing of this installation but its public key: what was on the
 * card, what was decided, by whom and how, under which rules. Names, rules and definitions are those of the moment of
 * signing. Flat, so that arguments lie no deeper than in the turn's digest and what could be decided can be signed.
 * Source: issue E "Receipts".
 */
export function receiptOf({ run, turn, decision, configuration, tools, ...facts }: ReceiptFacts) {
  return {
    format: RECEIPT_FORMAT,
    keyFingerprint: digest('key/1:', facts.publicKey),
    signedAtMs: facts.nowMs,
    run: {
      id: run.id,
      label: run.label,
      createdAtMs: run.createdAtMs,
      configuration: { id: run.configurationId, identifier: run.configurationIdentifier },
      initiator: party(run.actor, facts.initiator),
    },
    turn: {
      round: turn.round,
      digest: decision.turnDigest,
      previewRevision: decision.previewRevision,
      previewDigest: previewDigest(turn),
    },
    calls: turn.calls,
    previews: turn.previews,
    questions: turn.questions,
    staleCallIds: turn.staleCallIds,
    edits: turn.edits,
    tools: toolsOf(turn, tools),
    decision: {
      number: decision.number,
      decidedAtMs: decision.decidedAtMs,
      // The decision of a service account is stored without its name.
      decider: decision.decidedBy > 0 ? person(decision.decidedBy, facts.decider) : { kind: 'service' },
      ...verdictOf(decision),
    },
    trigger: triggerOf(decision.trigger),
    policy: configuration && policyOf(configuration.settings),
  };
}

const person = (operatorId: number, row: Operator | null) => ({
  kind: 'operator',
  operatorId,
  name: row?.name ?? null,
});

function party(actor: Actor, row: Operator | null) {
  if (actor.kind === 'operator') return person(actor.operatorId, row);
  return actor.kind === 'service' ? { kind: 'service', name: actor.name } : { kind: 'anonymous' };
}

/** Each tool of the turn: the digest of the definition on the card, and that definition unless it is another one by now. */
function toolsOf(turn: PendingTurn, tools: ToolDefinition[]) {
  return [...new Set(turn.calls.map(({ name }) => name))].map((name) => ({
    name,
    digest: Object.hasOwn(turn.definitions, name) ? (turn.definitions[name] as string) : null,
    definition: tools.find((tool) => tool.name === name && isAsShown(turn, tool)) ?? null,
  }));
}

/** What people answer is theirs: only its digest is in here. */
function verdictOf(decision: Decision) {
  if (decision.kind === 'input') return { kind: decision.kind, answersDigest: digest('answers/1:', decision.answers) };
  const { kind, verdicts, denialReason, note, isBlind } = decision;
  return { kind, verdicts, denialReason, note, isBlind };
}

/** `surface` is what the host knows; `claimed` is what a window said, and nobody can prove it. */
const triggerOf = (trigger: Trigger | null) => trigger && { surface: trigger.surface, claimed: trigger.claims };

const policyOf = (settings: ConfigurationSettings) => ({
  requireSecondApprover: settings.requireSecondApprover,
  decisionLimitMs: settings.decisionLimitMs,
  withdrawWindowMs: settings.withdrawWindowMs,
  privacy: settings.privacy,
  toolGroups: settings.toolGroups,
  toolNames: settings.toolNames,
  disabledTools: settings.disabledTools,
  trustZone: trustZoneOf(settings),
  zoneEnforcement: settings.zoneEnforcement,
});

/** The text that a signature covers, of a receipt as canonical text; says what it is, so that it can be taken for nothing else. */
export const signedText = (receipt: string): string => `countersign receipt/1: ${receipt}`;

/** The whole file, canonical as well: the key for whoever keeps several, the receipt as canonical text, its signature, a line end. */
export const receiptFile = (publicKey: string, receipt: string, signature: string): string =>
  `{"key":"${publicKey}","receipt":${receipt},"signature":"${signature}"}\n`;

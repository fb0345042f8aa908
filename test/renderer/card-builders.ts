import type { FieldChange, Preview } from '../../src-shared/preview.ts';
import type { PendingCallView, PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';

const TARGET = { kind: 'record', database: 'site', table: 'pages', key: { id: 42 } } as const;

/** A preview of a changed record. */
export const recordPreview = (changes: FieldChange[]): Preview => ({
  kind: 'record',
  action: 'update',
  target: TARGET,
  changes,
  notes: [],
});

/** A preview of a file. */
export const filePreview = (given: Partial<Extract<Preview, { kind: 'file' }>>): Preview => ({
  kind: 'file',
  action: 'update',
  target: { kind: 'file', workspace: 'site', path: 'robots.txt' },
  diff: '@@ -1,1 +1,1 @@\n-a\n+b\n',
  sizeBytesBefore: 2,
  sizeBytesAfter: 2,
  notes: [],
  ...given,
});

/** A call that would change one short field. */
export const aCall = (given: Partial<PendingCallView> = {}): PendingCallView => ({
  id: 'call-1',
  toolName: 'update_record',
  effect: 'idempotent_write',
  withheld: null,
  edit: null,
  arguments: { table: 'pages' },
  preview: recordPreview([{ field: 'title', before: 'Old', after: 'New' }]),
  target: TARGET,
  place: '/srv/site.db',
  isStale: false,
  ...given,
});

/** A card with one call that anybody may approve. */
export const aCard = (given: Partial<PendingDecisionView> = {}): PendingDecisionView => ({
  runId: 'run-1',
  label: 'A run',
  configuration: 'site',
  initiatorId: 1,
  initiatorName: 'Ada',
  waitingSinceMs: 1,
  expiresAtMs: 0,
  rounds: 1,
  maxRounds: 20,
  inputTokens: 10,
  outputTokens: 5,
  effect: 'idempotent_write',
  turnDigest: 'digest',
  previewRevision: 1,
  bounceCount: 0,
  request: 'Look at page 42',
  assistantText: '',
  approvalBar: null,
  questions: [],
  answerBar: null,
  calls: [aCall()],
  unreadable: null,
  ...given,
});

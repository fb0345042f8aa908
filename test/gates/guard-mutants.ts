import type { Mutant } from './mutant.ts';

/** A condition in SQL, or in front of it, that keeps a transition to the row it was judged on. */
const guard = (name: string, file: string, text: string, instead: string, tests: string[]): Mutant => ({
  name,
  group: 'guard',
  file,
  text,
  instead,
  tests,
});

const STORE = 'src-main/store/sqlite-run-store.ts';
const APPLY = 'src-main/store/apply-change.ts';
const CLAIMS = [
  'test/store/forgery.test.ts',
  'test/store/run-store.test.ts',
  'test/store/pause.test.ts',
  'test/store/restored.test.ts',
];

export const GUARD_MUTANTS: Mutant[] = [
  guard(
    'status of a moved row',
    APPLY,
    'status = :from_status and owner_token',
    '(status = :from_status or 1) and owner_token',
    ['test/store/apply-change.test.ts'],
  ),
  guard('owner of a moved row', APPLY, 'owner_token = :held_by`', '(owner_token = :held_by or 1)`', [
    'test/store/apply-change.test.ts',
  ]),
  guard(
    'moves by the table',
    'src-main/store/transition-guard.ts',
    'when old.status <> new.status and not',
    'when 0 and old.status <> new.status and not',
    ['test/store/apply-change.test.ts'],
  ),
  guard(
    'births by the table',
    'src-main/store/transition-guard.ts',
    "when not (${toFrom('new')})",
    "when 0 and not (${toFrom('new')})",
    ['test/store/apply-change.test.ts'],
  ),
  guard(
    'claim: queued only',
    STORE,
    "where status = 'queued' and next_attempt_at_ms",
    "where status <> 'completed' and next_attempt_at_ms",
    CLAIMS,
  ),
  guard('claim: due', STORE, 'next_attempt_at_ms <= :now_ms', 'next_attempt_at_ms >= 0', CLAIMS),
  guard('claim: not before', STORE, 'not_before_at_ms <= :now_ms', 'not_before_at_ms >= 0', CLAIMS),
  guard('claim: not while paused', STORE, 'and not ${IS_PAUSED}', '', CLAIMS),
  guard('claim: as the record left it', STORE, 'and last_hash = runs.last_hash', '', [
    'test/store/forgery.test.ts',
    ...CLAIMS,
  ]),
  guard('claim: not of a restored copy', STORE, 'and seq > coalesce(${RESTORED_AT}, 0)', '', CLAIMS),
  guard('claim: configuration active', STORE, '(is_active = 0 or ${IS_BUSY})', '${IS_BUSY}', CLAIMS),
  guard('claim: as many as the endpoint serves', STORE, '(is_active = 0 or ${IS_BUSY})', 'is_active = 0', CLAIMS),
  guard(
    'owner of a segment',
    'src-main/domain/ownership-rules.ts',
    "&& run.ownerToken === claim.ownerToken) return 'owned'",
    ") return 'owned'",
    ['test/domain/segment-rules.test.ts', 'test/domain/suspend-rules.test.ts'],
  ),
  guard(
    'status of a segment',
    'src-main/domain/ownership-rules.ts',
    "run.status === 'running' && run.ownerToken !== ''",
    "run.ownerToken !== ''",
    ['test/domain/segment-rules.test.ts', 'test/domain/suspend-rules.test.ts'],
  ),
];

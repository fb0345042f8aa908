import { readGrants, type Operator } from '../domain/actor.ts';
import type { Person } from '../domain/people-rules.ts';
import type { Proof } from '../domain/proof-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { isSignedRow, signRow } from './row-signature.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

type OperatorRow = {
  id: number;
  name: string;
  os_account: string | null;
  is_admin: number;
  is_enabled: number;
  grants: string;
  proof_number: number | null;
  mac: string;
};

export const OPERATOR_COLUMNS = 'id, name, os_account, is_admin, is_enabled, grants, proof_number, mac';

/** A proof is sealed for one person and one number: neither another person's nor an older one opens in its place. */
export const proofPlace = (operatorId: number, number: number): string =>
  `operators.proof_sealed/${operatorId}/${number}`;

/** The live row of an operator; null when there is none, or when somebody edited it without the key. */
export function loadOperator(statements: Statements, sealer: Sealer, operatorId: number): Operator | null {
  const row = signedRow(statements, sealer, operatorId);
  return row ? readOperator(row) : null;
}

function signedRow(statements: Statements, sealer: Sealer, operatorId: number): OperatorRow | null {
  const row = statements.get(`select ${OPERATOR_COLUMNS} from operators where id = ?`).get(operatorId) as
    OperatorRow | undefined;
  return row && isSignedRow(sealer, 'operators', row) ? row : null;
}

/** Everybody whose row is as this installation wrote it, in the order in which they came. */
export function listPeople(statements: Statements, sealer: Sealer): Person[] {
  const rows = statements.get(`select ${OPERATOR_COLUMNS} from operators order by id`).all() as OperatorRow[];
  return rows
    .filter((row) => isSignedRow(sealer, 'operators', row))
    .map((row) => ({
      ...readOperator(row),
      hasAccount: row.os_account !== null,
      hasPassphrase: row.proof_number !== null,
    }));
}

/** Creates or replaces an operator; `osAccount` is the operating-system account that is theirs. */
export function saveOperator(
  statements: Statements,
  sealer: Sealer,
  operator: Operator & { osAccount: string | null },
  nowMs: number,
): void {
  const row = {
    id: operator.id,
    name: operator.name,
    os_account: operator.osAccount,
    is_admin: operator.isAdmin ? 1 : 0,
    is_enabled: operator.isEnabled ? 1 : 0,
    grants: JSON.stringify(operator.grants),
  };
  statements
    .get(
      `insert into operators (id, name, os_account, is_admin, is_enabled, grants, mac, created_at_ms)
       values (:id, :name, :os_account, :is_admin, :is_enabled, :grants, '', :now)
       on conflict (id) do update set name = excluded.name, os_account = excluded.os_account,
         is_admin = excluded.is_admin, is_enabled = excluded.is_enabled, grants = excluded.grants`,
    )
    .run({ ...row, now: nowMs });
  signOperator(statements, sealer, operator.id);
}

/** Changes what a person may do; name, account and passphrase stay. */
export function saveRights(
  statements: Statements,
  sealer: Sealer,
  { id, isAdmin, isEnabled, grants }: Omit<Operator, 'name'>,
): void {
  statements
    .get('update operators set is_admin = ?, is_enabled = ?, grants = ? where id = ?')
    .run(isAdmin ? 1 : 0, isEnabled ? 1 : 0, JSON.stringify(grants), id);
  signOperator(statements, sealer, id);
}

/** Gives a person another passphrase, sealed before it touches the file; the one before is gone. */
export function saveProof(statements: Statements, sealer: Sealer, operatorId: number, proof: Proof): void {
  const number =
    1 +
    ((statements.get('select coalesce(proof_number, 0) from operators where id = ?').pluck().get(operatorId) as
      number | undefined) ?? 0);
  statements
    .get('update operators set proof_number = ?, proof_sealed = ? where id = ?')
    .run(number, sealer.seal(proofPlace(operatorId, number), proof), operatorId);
  signOperator(statements, sealer, operatorId);
}

/** Signs the row as it is now: whoever calls has judged the row from before and written what it says. */
function signOperator(statements: Statements, sealer: Sealer, operatorId: number): void {
  const { mac: _mac, ...row } = statements
    .get(`select ${OPERATOR_COLUMNS} from operators where id = ?`)
    .get(operatorId) as OperatorRow;
  statements.get('update operators set mac = ? where id = ?').run(signRow(sealer, 'operators', row), operatorId);
}

/** What the passphrase of a person is compared with; null when they have none. Faults: `SealBrokenError`. */
export function readProof(statements: Statements, sealer: Sealer, operatorId: number): Proof | null {
  const number = signedRow(statements, sealer, operatorId)?.proof_number ?? null;
  if (number === null) return null;
  const sealed = statements.get('select proof_sealed from operators where id = ?').pluck().get(operatorId) as Buffer;
  return sealer.open(proofPlace(operatorId, number), sealed) as Proof;
}

const FIRST_OPERATOR = { id: 1, isAdmin: true, isEnabled: true, grants: [] } as const;

/**
 * The operator bound to an operating-system account. The first account to open a
 * new file becomes its administrator; any other account is unknown (null).
 * Runs in one transaction: of two first starts at once, one makes the operator.
 */
export function ensureOperator(
  statements: Statements,
  sealer: Sealer,
  { account, name }: { account: string; name: string },
  nowMs: number,
): Operator | null {
  const count = (): number => statements.get('select count(*) from operators').pluck().get() as number;
  if (count() === 0) {
    statements.database
      .transaction(() => {
        const first = { ...FIRST_OPERATOR, grants: [], name, osAccount: account };
        if (count() === 0) saveOperator(statements, sealer, first, nowMs);
      })
      .immediate();
  }
  const id = statements.get('select id from operators where os_account = ?').pluck().get(account) as number | undefined;
  return id === undefined ? null : loadOperator(statements, sealer, id);
}

function readOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    isAdmin: row.is_admin === 1,
    isEnabled: row.is_enabled === 1,
    grants: readGrants(parseStored(row.grants)),
  };
}

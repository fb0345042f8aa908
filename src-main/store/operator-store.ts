import { readGrants, type Operator } from '../domain/actor.ts';
import type { Sealer } from '../system/seal.ts';
import { isSignedRow, signRow } from './row-signature.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

type OperatorRow = {
  id: number;
  name: string;
  os_account: string;
  is_admin: number;
  is_enabled: number;
  grants: string;
  mac: string;
};

export const OPERATOR_COLUMNS = 'id, name, os_account, is_admin, is_enabled, grants, mac';

/** The live row of an operator; null when there is none, or when somebody edited it without the key. */
export function loadOperator(statements: Statements, sealer: Sealer, operatorId: number): Operator | null {
  const row = statements.get(`select ${OPERATOR_COLUMNS} from operators where id = ?`).get(operatorId) as
    OperatorRow | undefined;
  return row && isSignedRow(sealer, 'operators', row) ? readOperator(row) : null;
}

/** Creates or replaces an operator, bound to an operating-system account. */
export function saveOperator(
  statements: Statements,
  sealer: Sealer,
  operator: Operator & { osAccount: string },
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
       values (:id, :name, :os_account, :is_admin, :is_enabled, :grants, :mac, :now)
       on conflict (id) do update set name = excluded.name, os_account = excluded.os_account,
         is_admin = excluded.is_admin, is_enabled = excluded.is_enabled, grants = excluded.grants, mac = excluded.mac`,
    )
    .run({ ...row, mac: signRow(sealer, 'operators', row), now: nowMs });
}

const FIRST_OPERATOR = { id: 1, isAdmin: true, isEnabled: true, grants: [] } as const;

/**
 * The operator bound to an operating-system account. The first account to open a
 * new file becomes its administrator; any other account is unknown (null) until an
 * administrator adds it. Runs in one transaction: of two first starts at once, one
 * makes the operator.
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

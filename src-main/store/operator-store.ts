import { readGrants, type Operator } from '../domain/actor.ts';
import type { Statements } from './statements.ts';
import { parseStored } from './stored-json.ts';

interface OperatorRow {
  id: number;
  name: string;
  is_admin: number;
  is_enabled: number;
  grants: string;
}

/** The live row of an operator, or null. */
export function loadOperator(statements: Statements, operatorId: number): Operator | null {
  const row = statements
    .get('select id, name, is_admin, is_enabled, grants from operators where id = ?')
    .get(operatorId) as OperatorRow | undefined;
  return row ? readOperator(row) : null;
}

/**
 * The operator bound to an operating-system account. The first account to open a
 * new file becomes its administrator; any other account is unknown (null) until an
 * administrator adds it.
 */
export function ensureOperator(statements: Statements, osAccount: string, nowMs: number): Operator | null {
  statements
    .get(
      `insert into operators (name, os_account, is_admin, is_enabled, grants, created_at_ms)
       select :account, :account, 1, 1, '[]', :now where not exists (select 1 from operators)`,
    )
    .run({ account: osAccount, now: nowMs });
  const row = statements
    .get('select id, name, is_admin, is_enabled, grants from operators where os_account = ?')
    .get(osAccount) as OperatorRow | undefined;
  return row ? readOperator(row) : null;
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

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
export function ensureOperator(
  statements: Statements,
  { account, name }: { account: string; name: string },
  nowMs: number,
): Operator | null {
  const known = statements.get('select count(*) from operators').pluck().get() as number;
  if (known === 0) insertFirst(statements, account, name, nowMs);
  const row = statements
    .get('select id, name, is_admin, is_enabled, grants from operators where os_account = ?')
    .get(account) as OperatorRow | undefined;
  return row ? readOperator(row) : null;
}

/** Guarded inside the statement: of two first starts at once, one makes the operator. */
function insertFirst(statements: Statements, account: string, name: string, nowMs: number): void {
  statements
    .get(
      `insert into operators (name, os_account, is_admin, is_enabled, grants, created_at_ms)
       select :name, :account, 1, 1, '[]', :now where not exists (select 1 from operators)`,
    )
    .run({ account, name, now: nowMs });
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

import { type ToolRefusal, fail } from '../checked.ts';

/**
 * The sentence for a rule of the table that a write breaks; null = the error is
 * something else. SQLite's own text is never used: what stands in it is not ours.
 */
export function explainConstraint(error: unknown, table: string): ToolRefusal | null {
  const hint = `describe_records for "${table}" shows the rules.`;
  switch ((error as { code?: unknown } | null)?.code) {
    case 'SQLITE_CONSTRAINT_CHECK':
      return fail(`A check rule of "${table}" does not allow these values. ${hint}`);
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return fail(`A column of "${table}" that must not be empty would be empty. ${hint}`);
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return fail(`Another record of "${table}" already has a value that must be unique. ${hint}`);
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return fail(`Records that refer to each other would no longer fit together (foreign key). ${hint}`);
    case 'SQLITE_CONSTRAINT_TRIGGER':
      return fail(`A trigger of "${table}" does not allow this change. ${hint}`);
    case 'SQLITE_CONSTRAINT_DATATYPE':
    case 'SQLITE_MISMATCH':
      return fail(`A value does not fit the declared type of its column in "${table}". ${hint}`);
    case 'SQLITE_TOOBIG':
      return fail('A value is larger than SQLite can store.');
    default:
      return null;
  }
}

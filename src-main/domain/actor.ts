import { Type, type Static } from 'typebox';
import { GRANTS, SCOPES, type Grant, type Scope } from '../../src-shared/vocabulary.ts';

/**
 * Who asks. Explicit in every call; nothing reads an ambient "current user".
 * An operator's rights are not in here: they are read live from the operators
 * table inside the deciding transaction, so a disabled account loses them at once.
 * Source: runtime.md §17.
 */
export const Actor = Type.Union([
  Type.Object({ kind: Type.Literal('operator'), operatorId: Type.Integer({ minimum: 1 }) }),
  Type.Object({
    kind: Type.Literal('service'),
    name: Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$' }),
    scopes: Type.Array(Type.Enum(SCOPES)),
  }),
  Type.Object({ kind: Type.Literal('anonymous') }),
]);
export type Actor = Static<typeof Actor>;

/** A person, as the operators table says now. */
export interface Operator {
  id: number;
  name: string;
  isAdmin: boolean;
  isEnabled: boolean;
  grants: Grant[];
}

export const ANONYMOUS: Actor = { kind: 'anonymous' };

/** The operator id stored for an actor; 0 = no person. */
export function operatorIdOf(actor: Actor): number {
  return actor.kind === 'operator' ? actor.operatorId : 0;
}

/**
 * Reads a stored actor, degrading every malformed part to least privilege:
 * unknown scopes are dropped, anything else becomes anonymous.
 */
export function readActor(value: unknown): Actor {
  if (typeof value !== 'object' || value === null) return ANONYMOUS;
  const stored = value as Record<string, unknown>;
  if (stored.kind === 'operator' && Number.isSafeInteger(stored.operatorId) && (stored.operatorId as number) > 0) {
    return { kind: 'operator', operatorId: stored.operatorId as number };
  }
  if (stored.kind === 'service' && typeof stored.name === 'string') {
    const listed: unknown[] = Array.isArray(stored.scopes) ? stored.scopes : [];
    return { kind: 'service', name: stored.name, scopes: SCOPES.filter((scope: Scope) => listed.includes(scope)) };
  }
  return ANONYMOUS;
}

/** Keeps the grants we know of a stored list; anything else is dropped. */
export function readGrants(value: unknown): Grant[] {
  const listed: unknown[] = Array.isArray(value) ? value : [];
  return GRANTS.filter((grant) => listed.includes(grant));
}

/** Whether this person, as stored at this moment, may look after the installation. */
export const isAdministrator = (operator: Operator | null): operator is Operator =>
  operator?.isEnabled === true && operator.isAdmin;

import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../domain/json-value.ts';
import type { Condition } from './scenario.ts';
import { isPresent, renderIfPossible, type TemplateScope } from './template-values.ts';

/**
 * Whether a condition of a scenario holds. A reference without a value is no
 * error here: it equals and contains nothing.
 * Faults: `TemplateError`.
 */
export function conditionHolds(condition: Condition, scope: TemplateScope): boolean {
  const { equals, contains, exists, not, all, any } = condition;
  if (equals) return equal(valueOf(equals[0], scope), valueOf(equals[1], scope));
  if (contains) return holds(valueOf(contains[0], scope), valueOf(contains[1], scope));
  if (exists !== undefined) return isPresent(valueOf(exists, scope));
  if (not) return !conditionHolds(not, scope);
  if (all) return all.every((part) => conditionHolds(part, scope));
  return (any ?? []).some((part) => conditionHolds(part, scope));
}

function valueOf(value: unknown, scope: TemplateScope): JsonValue | undefined {
  return renderIfPossible(value as JsonValue, scope);
}

function equal(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && isDeepStrictEqual(left, right);
}

/** A text contains a text; a list contains an equal item. */
function holds(whole: JsonValue | undefined, part: JsonValue | undefined): boolean {
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part));
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';

/** Values of the JSON Schema Test Suite (draft 2020-12, MIT) for one schema. */
export interface VectorGroup {
  description: string;
  schema: JsonObject;
  tests: { description: string; data: JsonValue; valid: boolean }[];
}

/** The groups of one file of test/vectors/json-schema. */
export const vectorsOf = (name: string): VectorGroup[] =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '..', 'vectors', 'json-schema', `${name}.json`), 'utf8'),
  ) as VectorGroup[];

/** The file that holds the vectors of a keyword. */
export const fileOf = (keyword: string): string => (keyword === 'if' ? 'if-then-else' : keyword);

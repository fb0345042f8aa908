/** The value cannot be digested or stored because JSON would change or lose part of it. `path` says where, e.g. `$.calls[0].arguments`. */
export class NotPlainJsonError extends Error {
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`Not plain JSON at ${path}: ${problem}`);
    this.name = 'NotPlainJsonError';
    this.path = path;
  }
}

/** Deeper nesting than any tool call needs; bounds the recursion against hostile input. */
const MAX_DEPTH = 512;

/**
 * Proves that a value survives JSON unchanged, so that its digest means what a
 * person saw. Refuses what the canonicaliser would silently alter: non-finite
 * numbers, integers beyond 2^53, lone surrogates, holes, undefined, dates, maps,
 * bigints, class instances, symbols, accessors and cycles.
 * Faults: `NotPlainJsonError`.
 */
export function provePlainJson(value: unknown): void {
  prove(value, '$', 0, new Set());
}

/** The same as an answer, for who has something else to do with a value that is none. */
export function isPlainJson(value: unknown): boolean {
  try {
    provePlainJson(value);
    return true;
  } catch (error) {
    if (error instanceof NotPlainJsonError) return false;
    throw error;
  }
}

/** Proves one value that is neither a list nor an object. Faults: `NotPlainJsonError`. */
export function proveScalar(value: unknown, path: string): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') return proveText(value, path);
  if (typeof value === 'number') return proveNumber(value, path);
  throw new NotPlainJsonError(path, `a ${typeof value} has no JSON form`);
}

function prove(value: unknown, path: string, depth: number, ancestors: Set<object>): void {
  if (value === null || typeof value !== 'object') return proveScalar(value, path);
  if (depth >= MAX_DEPTH) throw new NotPlainJsonError(path, `nested deeper than ${MAX_DEPTH} levels`);
  if (ancestors.has(value)) throw new NotPlainJsonError(path, 'the value contains itself');
  ancestors.add(value);
  if (Array.isArray(value)) proveArray(value, path, depth, ancestors);
  else proveObject(value, path, depth, ancestors);
  ancestors.delete(value);
}

function proveText(text: string, path: string): void {
  if (!text.isWellFormed()) throw new NotPlainJsonError(path, 'the text holds half of a surrogate pair');
}

function proveNumber(number: number, path: string): void {
  if (!Number.isFinite(number)) throw new NotPlainJsonError(path, 'the number is not finite');
  // A JSON text of such an integer may have been rounded on the way in: two different calls would share one digest.
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < 1e21) {
    throw new NotPlainJsonError(path, 'an integer beyond 2^53 cannot be told from its neighbours; send it as text');
  }
}

/** Own properties only, each read through its descriptor: an accessor could answer the proof and the digest differently. */
function proveArray(list: unknown[], path: string, depth: number, ancestors: Set<object>): void {
  if (Object.getPrototypeOf(list) !== Array.prototype) {
    throw new NotPlainJsonError(path, 'a list of another class has no JSON form');
  }
  for (let index = 0; index < list.length; index += 1) {
    const entry = Object.getOwnPropertyDescriptor(list, index);
    if (!entry) throw new NotPlainJsonError(`${path}[${index}]`, 'the list has a hole');
    if (entry.get || entry.set) throw new NotPlainJsonError(`${path}[${index}]`, 'the entry is computed');
    prove(entry.value, `${path}[${index}]`, depth + 1, ancestors);
  }
  // A plain list owns its entries and `length`; anything more, hidden or symbol, is lost or (toJSON) changes the text.
  if (Reflect.ownKeys(list).length !== list.length + 1) {
    throw new NotPlainJsonError(path, 'the list carries named properties');
  }
}

function proveObject(object: object, path: string, depth: number, ancestors: Set<object>): void {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotPlainJsonError(path, `a ${object.constructor?.name ?? 'class instance'} has no JSON form`);
  }
  if (Object.getOwnPropertySymbols(object).length > 0) throw new NotPlainJsonError(path, 'a key is a symbol');
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (!property.enumerable || property.get || property.set) {
      throw new NotPlainJsonError(`${path}.${key}`, 'the property is hidden or computed');
    }
    proveText(key, path);
    prove(property.value, `${path}.${key}`, depth + 1, ancestors);
  }
}

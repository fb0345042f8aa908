import { describe, expect, it } from 'vitest';
import { NotPlainJsonError, provePlainJson } from '../../src-main/domain/plain-json.ts';

class Point {
  x = 1;
}
class List extends Array<number> {}

function nested(levels: number): unknown {
  let value: unknown = 'leaf';
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { inner: value };
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { list: [] };
  (value.list as unknown[]).push(value);
  return value;
}

const withAccessor = Object.defineProperty({}, 'secret', { enumerable: true, get: () => 1 });
const withHidden = Object.defineProperty({ shown: 1 }, 'hidden', { enumerable: false, value: 2 });
const listWithAccessor = Object.defineProperty([0], 0, { enumerable: true, get: () => 1 });
const listWithHidden = Object.defineProperty([0], 'toJSON', { enumerable: false, value: () => 'other' });
const listWithSymbol = Object.assign([0], { [Symbol('s')]: 1 });

const REFUSED: [name: string, value: unknown, path: string][] = [
  ['undefined', undefined, '$'],
  ['a function', () => 1, '$'],
  ['a symbol', Symbol('s'), '$'],
  ['a bigint', { id: 1n }, '$.id'],
  ['NaN', { n: Number.NaN }, '$.n'],
  ['Infinity', [1, Number.POSITIVE_INFINITY], '$[1]'],
  ['negative Infinity', Number.NEGATIVE_INFINITY, '$'],
  ['2^53', { id: 2 ** 53 }, '$.id'],
  ['-(2^53)', -(2 ** 53), '$'],
  ['9007199254740993, which arrives rounded', JSON.parse('{"id":9007199254740993}'), '$.id'],
  ['an integer of 20 digits', Number('12345678901234567890'), '$'],
  ['a lone high surrogate', { text: 'a\ud800b' }, '$.text'],
  ['a lone low surrogate', ['\udc00'], '$[0]'],
  ['surrogates in the wrong order', '\udc00\ud800', '$'],
  ['half a surrogate pair as a key', { ['\ud83d']: 1 }, '$'],
  ['an undefined property', { calls: [{ arguments: { a: undefined } }] }, '$.calls[0].arguments.a'],
  ['an undefined entry', [1, undefined], '$[1]'],
  // oxlint-disable-next-line no-sparse-arrays -- the hole is the case
  ['a hole', [1, , 3], '$[1]'],
  ['an empty list with a length', Array(3), '$[0]'],
  ['named properties on a list', Object.assign([1, 2], { note: 'x' }), '$'],
  ['a hidden property on a list', listWithHidden, '$'],
  ['a symbol on a list', listWithSymbol, '$'],
  ['an accessor in a list', listWithAccessor, '$[0]'],
  ['a subclass of a list', List.from([1, 2]), '$'],
  ['a date', { at: new Date(0) }, '$.at'],
  ['a map', new Map([['a', 1]]), '$'],
  ['a set', new Set([1]), '$'],
  ['bytes', new Uint8Array([1]), '$'],
  ['a boxed number', Object(1), '$'],
  ['a class instance', { point: new Point() }, '$.point'],
  ['an object with an inherited part', Object.create({ inherited: 1 }), '$'],
  ['a symbol key', { [Symbol('s')]: 1 }, '$'],
  ['an accessor', withAccessor, '$.secret'],
  ['a hidden property', withHidden, '$.hidden'],
  ['a toJSON of its own', { toJSON: () => 'other' }, '$.toJSON'],
  ['a cycle', cyclic(), '$.list[0]'],
];

const ALLOWED: [name: string, value: unknown][] = [
  ['null', null],
  ['booleans', [true, false]],
  ['text with a full surrogate pair', '\ud83d\ude02'],
  ['an empty object and an empty list', { a: {}, b: [] }],
  ['2^53 - 1', [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['1e30, which prints with an exponent', 1e30],
  ['fractions', [0.1, 4.5, 1e-27]],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 })],
  ['a key named __proto__', JSON.parse('{"__proto__":{"a":1}}')],
  ['one object named twice', (({ shared }) => ({ a: shared, b: [shared] }))({ shared: { x: 1 } })],
  ['as many levels as the limit', nested(512)],
];

describe('plain JSON', () => {
  it.each(REFUSED)('T-119 refuses %s and says where', (_name, value, path) => {
    let caught: unknown;
    try {
      provePlainJson(value);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(NotPlainJsonError);
    expect((caught as NotPlainJsonError).path).toBe(path);
  });

  it.each(ALLOWED)('H-087 allows %s', (_name, value) => {
    expect(() => provePlainJson(value)).not.toThrow();
  });

  it('H-087 refuses nesting beyond the limit instead of exhausting the stack', () => {
    expect(() => provePlainJson(nested(513))).toThrow(NotPlainJsonError);
    expect(() => provePlainJson(nested(200_000))).toThrow('nested deeper than 512 levels');
  });

  it('H-087 never runs the accessor it refuses', () => {
    let runs = 0;
    const list = Object.defineProperty([0], 0, {
      enumerable: true,
      get() {
        runs += 1;
        return 1;
      },
    });
    expect(() => provePlainJson(list)).toThrow(NotPlainJsonError);
    expect(runs).toBe(0);
  });
});

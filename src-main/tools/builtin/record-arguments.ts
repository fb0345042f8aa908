import { Type } from 'typebox';

/** The database a record tool works in. */
export const DatabaseName = Type.String({
  minLength: 1,
  maxLength: 63,
  description: 'Name of a database granted to this run.',
});

/** The table a record tool works in. */
export const TableName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of a table, as describe_records lists it.',
});

/** The key of one record. */
export const KeyArgument = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Union([Type.String(), Type.Number(), Type.Null()]),
  {
    description:
      'The primary key as column and value, e.g. {"id": 42}; all columns of a composite key. Integers beyond 2^53 as text, binary keys as text x\'hex\'.',
    minProperties: 1,
    maxProperties: 64,
  },
);

/** Fields to write. */
export const ValuesArgument = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Union([Type.String({ maxLength: 5_000_000 }), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    description:
      'Columns and their new values, e.g. {"title": "Opening hours"}. null = empty. Integers beyond 2^53 as text, binary as text x\'hex\'.',
    minProperties: 1,
    maxProperties: 500,
  },
);

import { Type, type Static } from 'typebox';
import { WriteTarget } from './write-target.ts';

/** A field value as plain JSON. Blobs are shown as `x'…'` text, integers beyond 2^53 as text. */
const FieldValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** One field of a record: value now and value after the write. `null` before/after = SQL NULL; absent = the field does not exist then. */
export const FieldChange = Type.Object({
  field: Type.String(),
  before: Type.Optional(FieldValue),
  after: Type.Optional(FieldValue),
});
export type FieldChange = Static<typeof FieldChange>;

/**
 * What a call would change, as shown to the person who decides. Complete and
 * uncut: a screen may shorten, the stored preview does not (LIM of the reference:
 * a change beyond the cut was invisible to the comparison).
 * `notes` name what the person must know besides the change, e.g. triggers.
 */
export const Preview = Type.Union([
  Type.Object({
    kind: Type.Literal('record'),
    action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]),
    target: WriteTarget,
    changes: Type.Array(FieldChange),
    notes: Type.Array(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('file'),
    action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete'), Type.Literal('move')]),
    target: WriteTarget,
    /** Unified diff of the text, or '' when the content is binary or does not change (move). */
    diff: Type.String(),
    sizeBytesBefore: Type.Union([Type.Number(), Type.Null()]),
    sizeBytesAfter: Type.Union([Type.Number(), Type.Null()]),
    notes: Type.Array(Type.String()),
  }),
  /** The call would be refused or its preview broke; `reason` is our own sentence, never an exception's text. */
  Type.Object({ kind: Type.Literal('failed'), reason: Type.String() }),
]);
export type Preview = Static<typeof Preview>;

/**
 * Digests of the complete values that a call replaces or depends on: before the
 * write, and as proposed after it. `after` is null where it cannot be known.
 */
export const Footprint = Type.Object({ before: Type.String(), after: Type.Union([Type.String(), Type.Null()]) });
export type Footprint = Static<typeof Footprint>;

/**
 * A stored preview of one pending call. `footprint` is null when the tool has none or
 * the target could not be read. A failed preview may carry one: the call cannot be
 * planned (any more), but the present state is known, and recovery compares its
 * `before` with the `after` of the approved plan to recognise an applied write.
 */
export const CallPreview = Type.Object({
  callId: Type.String(),
  toolName: Type.String(),
  preview: Preview,
  target: Type.Union([WriteTarget, Type.Null()]),
  footprint: Type.Union([Footprint, Type.Null()]),
});
export type CallPreview = Static<typeof CallPreview>;

import type { ToolEffect } from './vocabulary.ts';

/** What a call does to the world, in words for a person. */
export const EFFECT_WORDS: Record<ToolEffect, string> = {
  read_only: 'only reads',
  idempotent_write: 'writes',
  non_idempotent_write: 'writes, and writes again if repeated',
};

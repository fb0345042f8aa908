/*
 * What a request for a run may be, said once for the rule that enforces it and for
 * the form that tells it before.
 */

/** A round is one question to the model with its answer. */
export const DEFAULT_ROUNDS = 5;
export const MAX_ROUNDS = 20;
export const MAX_LABEL_LENGTH = 200;
/** UTF-16 units of the request's text; what is longer does not pass the channel. */
export const MAX_PROMPT_LENGTH = 1_000_000;
/** UTF-16 units of what is looked for, and runs of one page of a list. */
export const MAX_SEARCH_LENGTH = 200;
export const MAX_PAGE_LENGTH = 200;
/** UTF-16 units of the id of a call: a person's word about a call names it. */
export const MAX_CALL_ID_LENGTH = 256;

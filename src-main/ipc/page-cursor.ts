/*
 * Where a page of a list ends, as a page of the console hands it back: the key of its last run in base 36. Who makes one up
 * reads from elsewhere in the same list; what a person may see is judged anew for every page.
 */

const CURSOR = /^[1-9a-z][0-9a-z]{0,9}$/;

export const cursorOf = (key: number): string => key.toString(36);

/** The key a cursor stands for; null = this is no cursor. */
export const keyOf = (cursor: string): number | null => (CURSOR.test(cursor) ? Number.parseInt(cursor, 36) : null);

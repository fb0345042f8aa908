/**
 * The value of a JSON column that decides about rights: text that is no JSON reads
 * as null, which every reader of such a column degrades to least privilege. One
 * damaged row must neither grant anything nor hide the others of its list (R-193, D-15).
 */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

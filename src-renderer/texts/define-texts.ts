/** The same keys with any words: what one language has, the other must have, too. */
type SameKeys<T> = { [Key in keyof T]: T[Key] extends string ? string : SameKeys<T[Key]> };

/** The sentences of one subject in both languages, side by side, so that neither is forgotten. */
export function defineTexts<const T>(texts: { en: T; de: SameKeys<T> }): { en: T; de: SameKeys<T> } {
  return texts;
}

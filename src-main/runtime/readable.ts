/** Broken, or of a form that another release wrote. */
const UNREADABLE = ['SealBrokenError', 'OtherFormError'];

/** What a sealed part holds; null when it cannot be read: a screen without that part is better than none (H-204). */
export async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && UNREADABLE.includes(error.name)) return null;
    throw error;
  }
}

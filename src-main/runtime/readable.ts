import { SealBrokenError } from '../domain/sealed-faults.ts';

/** What a sealed part holds; null when it cannot be read: a screen without that part is better than none (H-204). */
export async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

import type { Preview } from './preview.ts';

/**
 * Whether a preview shows nobody what a write would change: there is none, it failed, or the new content of a file is not
 * text. Who approves such a call says so (LIM-05).
 */
export function isBlindPreview(preview: Preview | null): boolean {
  if (preview === null || preview.kind === 'failed') return true;
  if (preview.kind !== 'file' || preview.diff !== '') return false;
  return (preview.action === 'create' || preview.action === 'update') && preview.sizeBytesAfter !== 0;
}

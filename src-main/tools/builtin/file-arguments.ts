import { Type } from 'typebox';

/** The workspace a file tool works in. */
export const WorkspaceName = Type.String({
  minLength: 1,
  maxLength: 63,
  description: 'Name of a workspace granted to this run.',
});

/** A relative path as a model writes it. */
export function pathArgument(description: string): ReturnType<typeof Type.String> {
  return Type.String({ minLength: 1, maxLength: 4096, description });
}

/** Whole content of a file, at most 5 million characters. */
export const FileText = Type.String({ maxLength: 5_000_000, description: 'The complete new content, as text.' });

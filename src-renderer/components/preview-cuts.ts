import type { FieldChange, Preview } from '../../src-shared/preview.ts';
import { isCut } from './cut-text.ts';
import { isLongDiff } from './diff-lines.ts';
import { parseTextDiff } from './parse-text-diff.ts';

/** Most fields of a record that are shown at once. */
export const SHOWN_FIELDS = 200;

/** Names of the parts of a preview that can be shortened, unique within the preview. */
export const FIELDS_CUT = 'fields';
export const DIFF_CUT = 'diff';
export const fieldCut = (index: number): string => `field:${index}`;

/** Whether a field is shortened, on either side. */
export const isFieldCut = ({ before, after }: FieldChange): boolean =>
  [before, after].some((value) => typeof value === 'string' && isCut(value));

/** The parts of a preview that are shown shortened at first. Who approves has opened each of them. */
export function previewCuts(preview: Preview): string[] {
  switch (preview.kind) {
    case 'failed':
      return [];
    case 'file': {
      const hunks = parseTextDiff(preview.diff);
      return (hunks ? isLongDiff(hunks) : isCut(preview.diff)) ? [DIFF_CUT] : [];
    }
    case 'record':
      return [
        ...(preview.changes.length > SHOWN_FIELDS ? [FIELDS_CUT] : []),
        ...preview.changes.flatMap((change, index) => (isFieldCut(change) ? [fieldCut(index)] : [])),
      ];
  }
}

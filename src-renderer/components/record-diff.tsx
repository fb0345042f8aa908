import { memo, useCallback, useMemo, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldChange } from '../../src-shared/preview.ts';
import { isCut } from './cut-text.ts';
import { CutNote } from './cut-note.tsx';
import { EscapedText } from './escaped-text.tsx';
import { FieldValueView } from './field-value.tsx';
import { FIELDS_CUT, fieldCut, isFieldCut, SHOWN_FIELDS } from './preview-cuts.ts';
import { useGrowing } from './use-growing.ts';
import { writtenValue, type FieldValue } from './value-words.ts';
import { markChange, wholePart, type MarkedChange } from './word-marks.ts';

const FIELDS_PER_FRAME = 250;
const CAPTIONS = { create: 'fieldsCreated', update: 'fields', delete: 'fieldsDeleted' } as const;

/** What a record's write does to its fields, one row per field: now beside after, or the one side there is. */
export function RecordDiff({
  action,
  changes,
  opened,
  onOpen,
}: {
  action: 'create' | 'update' | 'delete';
  changes: FieldChange[];
  /** Names of the shortened parts that were opened; see `preview-cuts.ts`. */
  opened: ReadonlySet<string>;
  onOpen: (cut: string) => void;
}): JSX.Element {
  const { t, i18n } = useTranslation('change');
  const limit = opened.has(FIELDS_CUT) ? changes.length : Math.min(changes.length, SHOWN_FIELDS);
  const shown = useGrowing(limit, FIELDS_PER_FRAME);
  if (changes.length === 0) return <p className="quiet">{t('noFields')}</p>;
  return (
    <div className="record-diff">
      <table data-action={action}>
        <caption>{t(CAPTIONS[action])}</caption>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            {action !== 'create' && <th scope="col">{t('now')}</th>}
            {action !== 'delete' && <th scope="col">{t('after')}</th>}
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, shown).map((change, index) => (
            // A field stands once in a preview; its place is its name in `opened`.
            <FieldRow
              key={index}
              action={action}
              change={change}
              cut={fieldCut(index)}
              isOpen={opened.has(fieldCut(index))}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
      {limit < changes.length && (
        <CutNote
          sentence={t('fieldsShown', {
            shown: limit.toLocaleString(i18n.language),
            total: changes.length.toLocaleString(i18n.language),
          })}
          onOpen={() => onOpen(FIELDS_CUT)}
        />
      )}
    </div>
  );
}

const FieldRow = memo(function FieldRow({
  action,
  change,
  cut,
  isOpen,
  onOpen,
}: {
  action: 'create' | 'update' | 'delete';
  change: FieldChange;
  cut: string;
  isOpen: boolean;
  onOpen: (cut: string) => void;
}): JSX.Element {
  const { t } = useTranslation('change');
  const { field, before, after } = change;
  const marks = useMemo(() => fieldMarks(action, before, after), [action, before, after]);
  const open = useCallback(() => onOpen(cut), [onOpen, cut]);
  // One button per field opens both sides; it stands on the last side that is shortened.
  const onBefore = isFieldCut(change) && !(typeof after === 'string' && isCut(after));
  const shared = { field, firstChange: marks.firstChange, isOpen };
  return (
    <tr>
      <th scope="row">
        <EscapedText text={field} />
      </th>
      {action !== 'create' && (
        <td data-side="before" data-label={t('now')}>
          <FieldValueView
            {...shared}
            value={before}
            other={after}
            parts={marks.before}
            side="before"
            onOpen={onBefore ? open : undefined}
          />
        </td>
      )}
      {action !== 'delete' && (
        <td data-side="after" data-label={t('after')}>
          <FieldValueView
            {...shared}
            value={after}
            other={before}
            parts={marks.after}
            side="after"
            onOpen={isFieldCut(change) && !onBefore ? open : undefined}
          />
        </td>
      )}
    </tr>
  );
});

/** Word marks where text changes into text; any other change replaces the whole value. */
function fieldMarks(
  action: 'create' | 'update' | 'delete',
  before: FieldValue,
  after: FieldValue,
): Omit<MarkedChange, 'keptShare'> {
  if (typeof before === 'string' && typeof after === 'string') return markChange(before, after);
  // All of a new or lost record is new or lost: marks on everything would say nothing.
  const isChanged = action === 'update' && before !== after;
  const whole = (value: FieldValue) => (value == null ? [] : wholePart(writtenValue(value), isChanged));
  return { before: whole(before), after: whole(after), firstChange: -1 };
}

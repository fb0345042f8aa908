import { SegmentedControl } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../src-shared/preview.ts';
import { EscapedText } from './escaped-text.tsx';
import { RecordDiff } from './record-diff.tsx';
import { TextDiff, type DiffLayout } from './text-diff.tsx';
import './change.css';

type FilePreview = Extract<Preview, { kind: 'file' }>;

interface PreviewProps {
  preview: Preview;
  /** Names of the shortened parts that were opened; see `preview-cuts.ts`. */
  opened: ReadonlySet<string>;
  onOpen: (cut: string) => void;
}

/** What a call would change, as the host planned it; a failed plan says why it is none. */
export function PreviewView({ preview, opened, onOpen }: PreviewProps): JSX.Element {
  const { t } = useTranslation('change');
  const [layout, chooseLayout] = useLayout();
  if (preview.kind === 'failed')
    return (
      <p className="sentence">
        <EscapedText text={preview.reason} />
      </p>
    );
  return (
    <div className="preview">
      <div className="preview-head">
        <span className="preview-badge" data-action={preview.action}>
          {t(`action.${preview.action}`)}
        </span>
        {preview.kind === 'file' ? (
          <FileSizes preview={preview} />
        ) : (
          <span className="quiet">{t('fieldCount', { count: preview.changes.length })}</span>
        )}
        {hasTwoSides(preview) && <LayoutChoice layout={layout} onChoose={chooseLayout} />}
      </div>
      {preview.kind === 'record' ? (
        <RecordDiff action={preview.action} changes={preview.changes} opened={opened} onOpen={onOpen} />
      ) : (
        <FileChange preview={preview} layout={layout} opened={opened} onOpen={onOpen} />
      )}
      {preview.notes.length > 0 && (
        <ul className="preview-notes" aria-label={t('notes')}>
          {preview.notes.map((note, index) => (
            <li key={index}>
              <EscapedText text={note} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const STORED_LAYOUT = 'countersign.diffLayout';
const isLayout = (value: string | null): value is DiffLayout => value === 'unified' || value === 'side-by-side';

/** How this person likes to read comparisons, remembered on this machine. */
function useLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const [layout, setLayout] = useState<DiffLayout>(() => {
    const stored = localStorage.getItem(STORED_LAYOUT);
    return isLayout(stored) ? stored : 'unified';
  });
  const choose = (chosen: DiffLayout): void => {
    localStorage.setItem(STORED_LAYOUT, chosen);
    setLayout(chosen);
  };
  return [layout, choose];
}

/** A file that comes or goes has one side only. */
const hasTwoSides = (preview: Preview): boolean =>
  preview.kind === 'file' && preview.action === 'update' && preview.diff !== '';

function LayoutChoice({
  layout,
  onChoose,
}: {
  layout: DiffLayout;
  onChoose: (layout: DiffLayout) => void;
}): JSX.Element {
  const { t } = useTranslation('change');
  return (
    <SegmentedControl
      size="sm"
      className="layout-choice"
      aria-label={t('layout')}
      value={layout}
      data={[
        { value: 'unified', label: t('unified') },
        { value: 'side-by-side', label: t('sideBySide') },
      ]}
      onChange={(value) => {
        if (isLayout(value)) onChoose(value);
      }}
    />
  );
}

function FileChange({
  preview,
  layout,
  opened,
  onOpen,
}: PreviewProps & { preview: FilePreview; layout: DiffLayout }): JSX.Element {
  const { t } = useTranslation('change');
  if (preview.diff === '') return <p className="quiet">{t(withoutDiff(preview))}</p>;
  return (
    <TextDiff diff={preview.diff} layout={hasTwoSides(preview) ? layout : 'unified'} opened={opened} onOpen={onOpen} />
  );
}

function withoutDiff({ action, sizeBytesBefore, sizeBytesAfter }: FilePreview) {
  if (action === 'move') return 'contentKept';
  return (sizeBytesBefore ?? 0) + (sizeBytesAfter ?? 0) === 0 ? 'emptyFile' : 'contentNotShown';
}

function FileSizes({ preview }: { preview: FilePreview }): JSX.Element {
  const { t, i18n } = useTranslation('change');
  const inBytes = new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const before = preview.sizeBytesBefore === null ? null : inBytes.format(preview.sizeBytesBefore);
  const after = preview.sizeBytesAfter === null ? null : inBytes.format(preview.sizeBytesAfter);
  const words =
    before === null
      ? t('sizeNew', { after: after ?? '' })
      : after === null
        ? t('sizeGone', { before })
        : before === after
          ? t('sizeKept', { size: after })
          : t('sizeChange', { before, after });
  return <span className="quiet">{words}</span>;
}

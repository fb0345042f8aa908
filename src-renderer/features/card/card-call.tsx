import { memo, useCallback, useMemo, useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { PendingCallView } from '../../../src-shared/views/pending-decision-view.ts';
import { describeTarget } from '../../../src-shared/write-target.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { LongText } from '../../components/long-text.tsx';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { PreviewView } from '../../components/preview-view.tsx';
import { argumentsCut, argumentText, cutPrefix, isBlind, showsArguments } from './card-rules.ts';

interface CallProps {
  call: PendingCallView;
  index: number;
  count: number;
  opened: ReadonlySet<string>;
  onOpen: (cuts: readonly string[]) => void;
}

/** One call of the turn: tool, what it does to the world, to what, and the change itself. */
export const CardCall = memo(function CardCall({ call, index, count, opened, onOpen }: CallProps): JSX.Element {
  const { t } = useTranslation('card');
  const { t: words } = useTranslation('runWords');
  const tool = plainLine(call.toolName);
  return (
    <section className="card-call" aria-label={t('call', { number: index + 1, all: count, tool })}>
      <h3>
        {count > 1 && <span className="quiet">{`${index + 1}/${count} `}</span>}
        <EscapedText text={call.toolName} isOneLine />{' '}
        <span className="call-effect">{words(`effect.${call.effect}`)}</span>
      </h3>
      {call.target && (
        <p className="call-target">
          <span className="quiet">{t('target')}</span> <EscapedText text={describeTarget(call.target)} isOneLine />
          {call.place !== '' && (
            <span className="quiet">
              {' '}
              {t('place')} <EscapedText text={call.place} isOneLine />
            </span>
          )}
        </p>
      )}
      {call.isStale && (
        <p role="note" className="card-notice">
          {t(call.preview?.kind === 'failed' ? 'staleUncompared' : 'stale')}
        </p>
      )}
      {call.edit && (
        <p role="note" className="card-notice">
          {t('edited')}
        </p>
      )}
      {call.withheld ? <Withheld parts={call.withheld} /> : isBlind(call) && <BlindNotice call={call} />}
      {call.preview && call.preview.kind !== 'failed' && (
        <CallPreview preview={call.preview} index={index} opened={opened} onOpen={onOpen} />
      )}
      {call.withheld === null && <CallArguments call={call} index={index} opened={opened} onOpen={onOpen} />}
    </section>
  );
});

/** The preview knows its own parts only; on the card they carry the number of their call. */
function CallPreview({
  preview,
  index,
  opened,
  onOpen,
}: Pick<CallProps, 'index' | 'opened' | 'onOpen'> & { preview: NonNullable<PendingCallView['preview']> }): JSX.Element {
  const prefix = cutPrefix(index);
  const own = useMemo(
    () => new Set([...opened].filter((cut) => cut.startsWith(prefix)).map((cut) => cut.slice(prefix.length))),
    [opened, prefix],
  );
  const open = useCallback((cut: string) => onOpen([prefix + cut]), [onOpen, prefix]);
  return <PreviewView preview={preview} opened={own} onOpen={open} />;
}

/** What this person may not see: only which arguments there are, and how large each is. */
function Withheld({ parts }: { parts: NonNullable<PendingCallView['withheld']> }): JSX.Element {
  const { t } = useTranslation('card');
  return (
    <div role="note" className="card-notice">
      <p className="sentence">{t('withheld')}</p>
      <ul>
        {parts.map(({ name, bytes }) => (
          <li key={name}>
            <EscapedText text={name} isOneLine /> <span className="quiet">{t('bytes', { bytes })}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function BlindNotice({ call }: { call: PendingCallView }): JSX.Element {
  const { t } = useTranslation('card');
  return (
    <div role="note" className="card-notice">
      <strong>{t('blind')}</strong>
      <p className="sentence">
        {call.preview === null ? (
          t('blindNoReason')
        ) : call.preview.kind === 'failed' ? (
          <EscapedText text={call.preview.reason} />
        ) : (
          t('blindContent')
        )}
      </p>
    </div>
  );
}

/** What the model asked for, word by word. Never rendered as anything but text, and only once it is wanted. */
function CallArguments({ call, index, opened, onOpen }: Omit<CallProps, 'count'>): JSX.Element {
  const { t } = useTranslation('card');
  const [isOpen, setOpen] = useState(() => showsArguments(call));
  const text = useMemo(() => (isOpen ? argumentText(call) : ''), [call, isOpen]);
  const cut = argumentsCut(index);
  return (
    <details className="call-arguments" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('arguments')}</summary>
      <div className="call-json">
        <LongText text={text} isOpen={opened.has(cut)} onOpen={() => onOpen([cut])} />
      </div>
    </details>
  );
}

import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { AttributionMark } from '../../components/attribution-mark.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { durationWords, momentWords } from '../../components/time-words.ts';
import { markedApprovals } from './event-facts.ts';
import { useEventWords } from './use-event-words.ts';

/** Everything that happened, in order, with what else may be told of it one click away. */
export function Timeline({ events, nowMs }: { events: RunEventView[]; nowMs: number }): JSX.Element {
  const { t, i18n } = useTranslation('run');
  const words = useEventWords();
  const marked = markedApprovals(events);
  return (
    <ol aria-label={t('timeline')} className="timeline">
      {events.map((event) => (
        <li key={event.sequence}>
          <time dateTime={new Date(event.atMs).toISOString()} className="quiet">
            {momentWords(i18n.language, event.atMs, nowMs)}
          </time>
          <span className="timeline-words">{words(event, marked.has(event))}</span>
          {event.attribution && marked.has(event) && <AttributionMark attribution={event.attribution} />}
          <span className="quiet">{event.durationMs >= 1 && durationWords(i18n.language, event.durationMs)}</span>
          {Object.keys(event.details).length > 0 && (
            <details>
              <summary>
                {t('details')}
                <span className="visually-hidden"> {words(event, marked.has(event))}</span>
              </summary>
              <pre>
                <EscapedText text={detailText(event.details)} />
              </pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

const detailText = (details: RunEventView['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

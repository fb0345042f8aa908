import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { durationWords, momentWords } from '../../components/time-words.ts';
import { useEventWords } from './use-event-words.ts';

/** What is shown of one payload before a person asks the command line for all of it. */
const LONGEST_DETAIL = 20_000;

/** Everything that happened, in order, with the recorded facts one click away. */
export function Timeline({ events, nowMs }: { events: RunEventView[]; nowMs: number }): JSX.Element {
  const { t, i18n } = useTranslation('run');
  const words = useEventWords();
  return (
    <ol aria-label={t('timeline')} className="timeline">
      {events.map((event) => (
        <li key={event.sequence}>
          <time dateTime={new Date(event.atMs).toISOString()} className="quiet">
            {momentWords(i18n.language, event.atMs, nowMs)}
          </time>
          <span className="timeline-words">{words(event)}</span>
          <span className="quiet">{event.durationMs >= 1 && durationWords(i18n.language, event.durationMs)}</span>
          {Object.keys(event.payload).length > 0 && (
            <details>
              <summary>
                {t('details')}
                <span className="visually-hidden"> {words(event)}</span>
              </summary>
              <pre>
                <EscapedText text={detailText(event.payload)} />
              </pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

function detailText(payload: Record<string, unknown>): string {
  const text = JSON.stringify(payload, null, 2);
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL).toWellFormed()}…` : text;
}

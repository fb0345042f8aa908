import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { UncertainWriteView } from '../../../src-shared/views/inbox-view.ts';
import { describeTarget } from '../../../src-shared/write-target.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';

/** Writes of which nobody can tell whether they happened: a person has to look at the record itself. */
export function UncertainWrites({ writes }: { writes: UncertainWriteView[] }): JSX.Element | null {
  const { t } = useTranslation('inbox');
  if (writes.length === 0) return null;
  return (
    <>
      <h2 className="list-heading">
        {t('check')} <span className="quiet">{writes.length}</span>
      </h2>
      <ul className="run-items">
        {writes.map((write) => (
          <li key={`${write.runId} ${write.noticedAtMs} ${write.toolName}`} className="run-item">
            <Link href={`/runs/${encodeURIComponent(write.runId)}`}>
              <span className="run-item-label">
                {plainLine(write.toolName)} {write.target && plainLine(describeTarget(write.target))}
              </span>{' '}
              <span className="run-item-facts">{t(`uncertain.${write.cause}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

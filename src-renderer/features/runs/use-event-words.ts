import { useTranslation } from 'react-i18next';
import { END_REASONS, type EndReason } from '../../../src-shared/vocabulary.ts';
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { textOf, wasApproved } from './event-facts.ts';

/** One line for each recorded event, in the person's language. */
export function useEventWords(): (event: RunEventView, stands: boolean) => string {
  const { t } = useTranslation('run');
  const { t: word } = useTranslation('runWords');
  return (event, stands) => {
    const by = plainLine(event.actorName) || word('nobody');
    const tool = plainLine(textOf(event, 'toolName'));
    switch (event.kind) {
      case 'tool':
        return t(event.details.outcome === 'ok' ? 'event.tool' : 'event.toolFailed', { tool });
      case 'tool_write':
        return t('event.tool_write', { target: plainLine(textOf(event, 'target')) || tool });
      case 'approval':
        if (!wasApproved(event)) return t('event.denied', { by });
        if (!stands) return t('event.approvedInVain', { by });
        return t(event.details.blind === true ? 'event.approvedBlind' : 'event.approved', { by });
      case 'finished':
        return t('event.finished', { reason: t(`reason.${reasonOf(textOf(event, 'reason'))}`) });
      case 'approval_withdrawn':
      case 'arguments_edited':
      case 'card_renewed':
      case 'retried':
      case 'released':
      case 'uncertain_resolved':
      case 'cancelled':
      case 'input':
        return t(`event.${event.kind}`, { by });
      default:
        return t(`event.${event.kind}`);
    }
  };
}

const reasonOf = (reason: string): EndReason =>
  (END_REASONS as readonly string[]).includes(reason) ? (reason as EndReason) : 'internal_error';

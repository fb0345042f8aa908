import { budgetDenial, dayOf, hasDayLimit, NOTHING } from '../domain/budget-rules.ts';
import { canonicalJson } from '../domain/digest.ts';
import type { Message } from '../domain/message.ts';
import { modelQuestion, type ModelQuestion } from '../domain/model-question.ts';
import type { Segment } from './segment.ts';

/** The question after everything the segment knows and `added`, with the tools that are offered at this moment. */
export async function nextQuestion(segment: Segment, added: Message[] = []): Promise<ModelQuestion> {
  const registered = await segment.registered();
  const { run, configuration, owner, request, calibration } = segment;
  const messages = [...segment.messages, ...added];
  return modelQuestion({ run, configuration, owner, request, registered, messages, calibration });
}

/** Which budget is used up, so that nothing more is asked; null = none. */
export async function deniedBudget({ ports, run, configuration }: Segment): Promise<'perRun' | 'perDay' | null> {
  const { settings, id } = configuration;
  const today = hasDayLimit(settings) ? await ports.store.spendOfDay(id, dayOf(ports.clock.nowMs())) : NOTHING;
  return budgetDenial(settings, run, today);
}

/** Whether the claim of this segment has stored the very question already: then it is asked, and not stored once more. */
export async function isAnnounced({ ports, run }: Segment, { event }: ModelQuestion): Promise<boolean> {
  const [last] = await ports.store.events(run.id, run.lastSequence - 1, 1);
  return (
    last?.kind === event.kind &&
    last.attempt === run.attempt &&
    last.round === event.round &&
    canonicalJson(last.payload) === canonicalJson(event.payload)
  );
}

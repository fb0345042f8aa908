import { canonicalJson } from '../domain/digest.ts';
import type { Message } from '../domain/message.ts';
import { modelQuestion, type ModelQuestion } from '../domain/model-question.ts';
import type { Segment } from './segment.ts';

/** The question after everything the segment knows and `added`, with the tools that are offered at this moment. */
export async function nextQuestion(segment: Segment, added: Message[] = []): Promise<ModelQuestion> {
  const offered = await segment.offered();
  return modelQuestion(segment.run, segment.configuration, [...segment.messages, ...added], offered);
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

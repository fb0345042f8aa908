import type { Message } from '../domain/message.ts';
import { requestEvent } from '../domain/step-events.ts';
import type { Question, Segment } from './segment.ts';

/** The question after everything the segment knows and `added`, with the tools that are offered at this moment. */
export async function nextQuestion(segment: Segment, added: Message[] = []): Promise<Question> {
  const offered = await segment.offered();
  const { rounds, maxRounds } = segment.run;
  const closes = offered.length === 0 ? 'completed' : rounds >= maxRounds ? 'max_iterations' : null;
  const tools = closes ? [] : offered;
  const context = { round: rounds + 1, privacy: segment.configuration.settings.privacy };
  const names = tools.map((tool) => tool.name);
  const event = requestEvent(context, [...segment.messages, ...added], names);
  return { round: rounds + 1, tools, closes, event };
}

import type { Configuration } from './configuration.ts';
import type { Message } from './message.ts';
import type { EventDraft, RunRecord, RunRequest } from './run.ts';
import { requestEvent } from './step-events.ts';
import type { ToolDefinition } from './tool.ts';

/** What a model is asked next, and the event that says so. */
export interface ModelQuestion {
  round: number;
  tools: ToolDefinition[];
  /** Why the answer ends the run whatever it says: no tool is offered, or the rounds are used up. */
  closes: 'completed' | 'max_iterations' | null;
  /** Stored before the model is asked. */
  event: EventDraft;
}

/** The question after `messages`, with the tools that are offered at this moment. */
export function modelQuestion(
  { rounds, maxRounds }: Pick<RunRecord, 'rounds' | 'maxRounds'>,
  configuration: Configuration,
  messages: Message[],
  offered: ToolDefinition[],
): ModelQuestion {
  const closes = offered.length === 0 ? 'completed' : rounds >= maxRounds ? 'max_iterations' : null;
  const tools = closes ? [] : offered;
  const context = { round: rounds + 1, privacy: configuration.settings.privacy };
  const names = tools.map((tool) => tool.name);
  return { round: rounds + 1, tools, closes, event: requestEvent(context, messages, names) };
}

/** What stands before the transcript of a run: the configuration's prompt and the request. */
export function openingMessages(configuration: Configuration, request: RunRequest): Message[] {
  const prompt = configuration.settings.systemPrompt.trim();
  return [...(prompt ? [{ role: 'system' as const, content: prompt }] : []), ...request.messages];
}

import type { Operator } from './actor.ts';
import type { Configuration } from './configuration.ts';
import { fitContext, type ContextBreakdown, type ContextRoom } from './context-fit.ts';
import type { Message } from './message.ts';
import type { EventDraft, RunRecord, RunRequest } from './run.ts';
import { contextEvent, requestEvent } from './step-events.ts';
import { gateFindings, offeredTools } from './tool-gate-rules.ts';
import type { ToolDefinition } from './tool.ts';

/** What a model is asked next, and the event that says so. */
export interface ModelQuestion {
  round: number;
  tools: ToolDefinition[];
  /** What is sent; the transcript without its oldest turns when it does not fit. */
  messages: Message[];
  breakdown: ContextBreakdown;
  /** Why the answer ends the run whatever it says: no tool is offered, or the rounds are used up. */
  closes: 'completed' | 'max_iterations' | null;
  /** Nothing is asked: not even the newest turn fits into the model's room. */
  isTooLong: boolean;
  /** Stored before the model is asked. */
  event: EventDraft;
}

/** Everything a question is made of, at one moment. */
export interface QuestionFacts {
  run: Pick<RunRecord, 'rounds' | 'maxRounds'>;
  configuration: Configuration;
  /** Null = nobody owns the run, or may use tools any more. */
  owner: Operator | null;
  request: RunRequest;
  /** The registry; none once nobody may use any. */
  registered: ToolDefinition[];
  messages: Message[];
  calibration: number;
}

/** The question after `messages`, with the tools that are offered at this moment. */
export function modelQuestion(facts: QuestionFacts): ModelQuestion {
  const { run, configuration, request, registered, owner } = facts;
  const offered = offeredTools(registered, request.allowedToolNames, configuration, owner);
  const closes = offered.length === 0 ? 'completed' : run.rounds >= run.maxRounds ? 'max_iterations' : null;
  const tools = closes ? [] : offered;
  const room = contextRoom(configuration, request, facts.calibration);
  const { messages, fits, breakdown } = fitContext(facts.messages, tools, room);
  const context = { round: run.rounds + 1, privacy: configuration.settings.privacy };
  const names = tools.map((tool) => tool.name);
  const gate = gateFindings(registered, request.allowedToolNames, configuration, owner);
  const event = fits ? requestEvent(context, messages, names, gate, breakdown) : contextEvent(context, breakdown);
  return { round: run.rounds + 1, tools, messages, breakdown, closes, isTooLong: !fits, event };
}

/** The room of a configuration's model. The scripted model reads no tokens. */
export const contextRoom = (
  { settings }: Configuration,
  { maxOutputTokens }: RunRequest,
  calibration: number,
): ContextRoom => ({
  window: settings.model.kind === 'scripted' ? 'unlimited' : settings.contextWindow,
  maxOutputTokens,
  calibration,
});

/** What stands before the transcript of a run: the configuration's prompt and the request. */
export function openingMessages(configuration: Configuration, request: RunRequest): Message[] {
  const prompt = configuration.settings.systemPrompt.trim();
  return [...(prompt ? [{ role: 'system' as const, content: prompt }] : []), ...request.messages];
}

import type { ToolCall } from './tool.ts';

/**
 * One entry of a run's transcript. Tool calls stand only on assistant messages and
 * are never an empty list; a tool message answers exactly one call.
 * Source: runtime.md §11.10.
 */
export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; callId: string; toolName: string; content: string; isError: boolean };

/**
 * What one step adds to a transcript. Sealed at rest. Form 1 (of 1) says its form; a chunk from before is the list of
 * messages itself and stays readable.
 */
export interface TranscriptChunk {
  v: 1;
  messages: Message[];
}

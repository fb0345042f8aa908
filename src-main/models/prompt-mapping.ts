import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '../domain/message.ts';
import type { ModelRequest } from '../domain/model-client.ts';

/** A transcript in the SDK's shape. Source: runtime.md §11.10. */
export function toPrompt(messages: Message[]): LanguageModelV4Prompt {
  return messages.map((message): LanguageModelV4Prompt[number] => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.content };
      case 'user':
        return { role: 'user', content: [{ type: 'text', text: message.content }] };
      case 'assistant':
        return {
          role: 'assistant',
          content: [
            { type: 'text', text: message.content },
            ...(message.toolCalls ?? []).map((call) => ({
              type: 'tool-call' as const,
              toolCallId: call.id,
              toolName: call.name,
              input: call.arguments,
            })),
          ],
        };
      case 'tool':
        return { role: 'tool', content: [toToolResult(message)] };
    }
  });
}

function toToolResult(message: Extract<Message, { role: 'tool' }>) {
  return {
    type: 'tool-result' as const,
    toolCallId: message.callId,
    toolName: message.toolName,
    output: { type: message.isError ? ('error-text' as const) : ('text' as const), value: message.content },
  };
}

/** Tool definitions in the SDK's shape; undefined for none, so that an empty list is never sent. */
export function toTools(tools: ModelRequest['tools']): LanguageModelV4FunctionTool[] | undefined {
  if (tools.length === 0) return undefined;
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters as LanguageModelV4FunctionTool['inputSchema'],
  }));
}

/** The SDK writes null for an empty text beside calls; some servers refuse that. Source: runtime.md §11.10. */
export function fillEmptyContent(body: Record<string, unknown>): Record<string, unknown> {
  const messages = body.messages as { content: unknown }[];
  return {
    ...body,
    messages: messages.map((message) => (message.content === null ? { ...message, content: '' } : message)),
  };
}

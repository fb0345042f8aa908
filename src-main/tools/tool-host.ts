import type { CallPreview, Preview } from '../../src-shared/preview.ts';
import { boundText } from '../domain/bounded-text.ts';
import type { CallQuestion, Overlay, ToolCall, ToolContext, ToolResult } from '../domain/tool.ts';
import { unseen } from './checked.ts';
import type { ToolRegistry } from './registry.ts';
import { MAX_MESSAGE_LENGTH, type ToolReply, type ToolRequest } from './tool-protocol.ts';

/** Sends one answer to the worker. */
export type SendReply = (reply: ToolReply) => void;

/**
 * Runs the tools inside the child process: plans the calls of a turn in order on one
 * overlay, makes their questions, or executes one call. Whatever a tool throws is sent as a `fault` for the
 * log and becomes a sentence of ours: the class of the error for a preview, the
 * name of the tool for a result.
 * Source: runtime.md §11.6, human-decisions.md §4.2 (H-063).
 */
export async function handleToolRequest(registry: ToolRegistry, request: ToolRequest, send: SendReply): Promise<void> {
  if (request.kind === 'plan') {
    const overlay: Overlay = new Map();
    for (const call of request.calls) {
      const preview = await planCall(registry, call as ToolCall, request.context, overlay, (error) =>
        send(faultOf(request.id, call.name, error)),
      );
      send({ kind: 'preview', id: request.id, preview: boundPreview(preview) });
    }
    send({ kind: 'planned', id: request.id });
    return;
  }
  if (request.kind === 'ask') {
    const questions = request.calls.flatMap((call) =>
      questionOf(registry, call as ToolCall, (error) => send(faultOf(request.id, call.name, error))),
    );
    send({ kind: 'questions', id: request.id, questions });
    return;
  }
  const call = request.call as ToolCall;
  let result: ToolResult;
  try {
    result = await executeCall(registry, call, request, (error) => send(faultOf(request.id, call.name, error)));
  } catch (error) {
    send(faultOf(request.id, call.name, error));
    result = { outcome: 'failed', content: `The tool ${call.name} failed.`, write: null };
  }
  send({ kind: 'result', id: request.id, result: { ...result, content: boundText(result.content) } });
}

/** The question of a call; none when its tool has none or cannot ask it like this. */
function questionOf(registry: ToolRegistry, call: ToolCall, report: (error: unknown) => void): CallQuestion[] {
  const tool = registry.find(call.name);
  if (!tool?.ask) return [];
  try {
    return [{ callId: call.id, toolName: call.name, schema: tool.ask(call.arguments) }];
  } catch (error) {
    report(error);
    return [];
  }
}

async function executeCall(
  registry: ToolRegistry,
  call: ToolCall,
  request: Extract<ToolRequest, { kind: 'execute' }>,
  report: (error: unknown) => void,
): Promise<ToolResult> {
  const tool = registry.find(call.name);
  if (!tool) return { outcome: 'failed', content: `unknown tool: ${call.name}`, write: null };
  const isWrite = tool.definition.effect !== 'read_only';
  // The tools check it themselves; a tool that forgets must not write. One that cannot plan has nothing to compare (H-175).
  if (isWrite && tool.plan && request.expected === null) {
    return unseen(boundPreview(await planCall(registry, call, request.context, new Map(), report)).preview);
  }
  return await tool.execute(call.arguments, request.context, request.expected);
}

async function planCall(
  registry: ToolRegistry,
  call: ToolCall,
  context: ToolContext,
  overlay: Overlay,
  report: (error: unknown) => void,
): Promise<CallPreview> {
  const none = (reason: string): CallPreview => ({
    callId: call.id,
    toolName: call.name,
    preview: { kind: 'failed', reason },
    target: null,
    footprint: null,
  });
  const tool = registry.find(call.name);
  if (!tool) return none(`There is no tool "${call.name}".`);
  // Reads change nothing, so there is nothing to show; a write without a plan is refused when the registry is built.
  if (!tool.plan) return none('This tool has no preview.');
  try {
    const planned = await tool.plan(call.arguments, context, overlay);
    // A blank would look like a change that changes nothing (H-064).
    if (isBlank(planned.preview)) return none('The preview is empty.');
    return { callId: call.id, toolName: call.name, ...planned };
  } catch (error) {
    report(error);
    return none(`The preview failed (${classOf(error)}).`);
  }
}

/** A record of which nothing is shown, neither a value nor a note. */
const isBlank = (preview: Preview): boolean =>
  preview.kind === 'record' && preview.changes.length === 0 && preview.notes.length === 0;

function boundPreview(preview: CallPreview): CallPreview {
  if (JSON.stringify(preview).length <= MAX_MESSAGE_LENGTH) return preview;
  return { ...preview, preview: { kind: 'failed', reason: 'The change is too large to be shown.' }, footprint: null };
}

/** The class of an error, if it looks like one: a hostile name must not carry text into a preview. */
function classOf(error: unknown): string {
  const name: unknown = error instanceof Error ? (error.constructor as { name?: unknown }).name : typeof error;
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,59}$/.test(name) ? name : 'Error';
}

function faultOf(id: number, toolName: string, error: unknown): ToolReply {
  const isError = error instanceof Error;
  return {
    kind: 'fault',
    id,
    toolName,
    name: classOf(error),
    message: isError ? error.message : String(error),
    stack: isError ? (error.stack ?? '') : '',
  };
}

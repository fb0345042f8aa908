import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { CallPreview, Footprint } from '../../src-shared/preview.ts';
import { TOOL_OUTCOMES, WRITE_COMPLETENESS, WRITE_KINDS } from '../../src-shared/vocabulary.ts';
import { WriteTarget } from '../../src-shared/write-target.ts';

/*
 * What the worker and a tool child say to each other. One request at a time per
 * child; the child answers `ready` once, after it holds its proof of life.
 */

/** Environment of a child: the file of its proof of life. Required. */
export const ALIVE_FILE_VARIABLE = 'COUNTERSIGN_ALIVE_FILE';

/** Environment of a child: process id of the worker; without it the child trusts its channel alone. */
export const WORKER_PID_VARIABLE = 'COUNTERSIGN_WORKER_PID';

/** Longest message in either direction, in characters of JSON. Two whole 10 MB files and their difference fit. */
export const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;

const JsonObjectSchema = Type.Record(Type.String(), Type.Unknown());
const Call = Type.Object({ id: Type.String(), name: Type.String(), arguments: JsonObjectSchema });
const NamedPath = Type.Object({ name: Type.String(), path: Type.String() });
const Context = Type.Object({
  runId: Type.String(),
  ownerId: Type.Number(),
  databases: Type.Array(NamedPath),
  workspaces: Type.Array(NamedPath),
  protectedPaths: Type.Array(Type.String()),
});

/** A request to a child. */
export const ToolRequest = Type.Union([
  Type.Object({ kind: Type.Literal('plan'), id: Type.Number(), calls: Type.Array(Call), context: Context }),
  Type.Object({ kind: Type.Literal('ask'), id: Type.Number(), calls: Type.Array(Call) }),
  Type.Object({
    kind: Type.Literal('execute'),
    id: Type.Number(),
    call: Call,
    context: Context,
    expected: Type.Union([Footprint, Type.Null()]),
  }),
]);
export type ToolRequest = Static<typeof ToolRequest>;

const Result = Type.Object({
  outcome: Type.Enum(TOOL_OUTCOMES),
  content: Type.String(),
  write: Type.Union([
    Type.Object({ target: WriteTarget, kind: Type.Enum(WRITE_KINDS), completeness: Type.Enum(WRITE_COMPLETENESS) }),
    Type.Null(),
  ]),
});

const Question = Type.Object({ callId: Type.String(), toolName: Type.String(), schema: JsonObjectSchema });

/** An answer of a child. `fault` carries the full error for the log; nothing of it goes to a model. */
export const ToolReply = Type.Union([
  Type.Object({ kind: Type.Literal('ready') }),
  Type.Object({ kind: Type.Literal('preview'), id: Type.Number(), preview: CallPreview }),
  Type.Object({ kind: Type.Literal('planned'), id: Type.Number() }),
  Type.Object({ kind: Type.Literal('questions'), id: Type.Number(), questions: Type.Array(Question) }),
  Type.Object({ kind: Type.Literal('result'), id: Type.Number(), result: Result }),
  Type.Object({
    kind: Type.Literal('fault'),
    id: Type.Number(),
    toolName: Type.String(),
    name: Type.String(),
    message: Type.String(),
    stack: Type.String(),
  }),
]);
export type ToolReply = Static<typeof ToolReply>;

/** Decides whether a message is a request a child may work on. */
export function isToolRequest(message: unknown): message is ToolRequest {
  return Check(ToolRequest, message);
}

/** Decides whether a message is an answer of a child. */
export function isToolReply(message: unknown): message is ToolReply {
  return Check(ToolReply, message);
}

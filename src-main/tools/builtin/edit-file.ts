import { Type } from 'typebox';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import { type ToolRefusal, fail, refuse } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { guardWritePath } from '../path-guard.ts';
import { WorkspaceName, pathArgument } from './file-arguments.ts';
import { type FilePlan, executePlan, refusedPlan } from './file-plan.ts';
import { fileFootprint, stateAt } from './file-state.ts';
import { type TextFacts, readText } from './file-text.ts';
import { planContent } from './write-file.ts';

interface Arguments {
  workspace: string;
  path: string;
  old_text: string;
  new_text: string;
}

function planEdit(args: Arguments, context: ToolContext, overlay: Overlay): FilePlan {
  const guarded = guardWritePath(context, args.workspace, args.path);
  if (!guarded.ok) return refusedPlan(guarded);
  const path = guarded.value;
  const state = stateAt(path, overlay);
  if (!state.ok) return refusedPlan(state, path);
  const before = fileFootprint([{ path, state: state.value }]);
  if (state.value.kind === 'absent') {
    return refusedPlan(fail(`There is no file "${path.relative}". Use write_file to create it.`), path, before);
  }
  const text = state.value.bytes ? readText(state.value.bytes) : null;
  if (!text) {
    const reason = `"${path.relative}" is not UTF-8 text or larger than 10 MB; it cannot be edited in parts.`;
    return refusedPlan(refuse(reason), path, before);
  }
  const problem = checkEdit(text, args);
  if (problem) return refusedPlan(problem, path, before);
  const at = text.text.indexOf(args.old_text);
  const edited = text.text.slice(0, at) + args.new_text + text.text.slice(at + args.old_text.length);
  return planContent(path, state.value, Buffer.from(edited, 'utf8'), overlay);
}

/** The old text must stand in the file exactly once, or nobody knows which place was meant. */
function checkEdit(facts: TextFacts, args: Arguments): ToolRefusal | null {
  if (!args.new_text.isWellFormed()) return fail('The new text holds half of a surrogate pair.');
  const first = facts.text.indexOf(args.old_text);
  if (first === -1) {
    const hint =
      facts.lineEnds === 'crlf' && args.old_text.includes('\n') && !args.old_text.includes('\r')
        ? ' The file has Windows line ends (CR LF); write them in the old text, too.'
        : ' Read the file again and copy the text exactly.';
    return fail(`The old text does not stand in "${args.path}".${hint}`);
  }
  // One character further, not behind the match: overlapping places are two places.
  if (facts.text.indexOf(args.old_text, first + 1) !== -1) {
    return fail(`The old text stands in "${args.path}" more than once. Include more of the lines around it.`);
  }
  return null;
}

/** Replaces one exact, unique piece of text in a file. */
export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replace one piece of text in a UTF-8 file. old_text must match exactly (white space and line ends included) and stand in the file exactly once. A person sees the difference first.',
  parameters: Type.Object(
    {
      workspace: WorkspaceName,
      path: pathArgument('Path of an existing file inside the workspace.'),
      old_text: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'The exact text to replace.' }),
      new_text: Type.String({ maxLength: 1_000_000, description: 'The text to put there; may be empty.' }),
    },
    { additionalProperties: false },
  ),
  effect: 'idempotent_write',
  group: 'files',
  plan: (args, context, overlay) => planEdit(args, context, overlay).planned,
  execute: (args, context, expected) => executePlan(planEdit(args, context, new Map()), expected),
});

import { openPlanner } from '../compose-planner.ts';
import type { CardBinding } from '../domain/decision-gates.ts';
import type { ArgumentEdits } from '../domain/edit-rules.ts';
import type { JsonObject } from '../domain/json-value.ts';
import { isPlainJson } from '../domain/plain-json.ts';
import { runView } from '../ipc/run-view.ts';
import { editWaitingCard } from '../runtime/edit-card.ts';
import { cardLines } from './card-text.ts';
import { EXIT, onlyPositional, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { givenBinding } from './decide-commands.ts';
import { refuse } from './run-commands.ts';

export const edit: Command = {
  usage: 'RUN --digest D --revision N [--call ID] [--arguments JSON]',
  summary: 'Put other arguments in place of those of a waiting call; without --arguments, make its card anew',
  options: {
    digest: { type: 'string' },
    revision: { type: 'string' },
    call: { type: 'string' },
    arguments: { type: 'string' },
  },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const binding: CardBinding = givenBinding(invocation) ?? { turnDigest: null, previewRevision: null };
    const given = givenArguments(invocation);
    const opened = invocation.open();
    const card = await opened.runtime.pendingDecision(opened.actor, runId);
    const edits = given ? editsOf(invocation, card?.calls ?? [], given) : {};
    const planner = openPlanner(opened, invocation.callerUrl);
    try {
      const edited = await editWaitingCard(planner, opened.actor, runId, { ...binding, edits });
      if (!edited.ok) return refuse(invocation, edited.refusal);
      const shown = await opened.runtime.pendingDecision(opened.actor, runId);
      invocation.answer(runView(edited.value), [
        given ? 'The arguments were changed. Nothing was executed.' : 'The card was made anew. Nothing was executed.',
        '',
        ...(shown ? cardLines(shown, opened.clock.nowMs()) : []),
      ]);
      return EXIT.ok;
    } finally {
      await planner.close();
    }
  },
};

function givenArguments(invocation: Invocation): JsonObject | null {
  const text = textOption(invocation, 'arguments');
  if (text === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('--arguments is no JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlainJson(value))
    throw new UsageError('--arguments is a JSON object, with whole characters and numbers that JSON keeps.');
  return value as JsonObject;
}

/** The only call of the turn needs no name. */
function editsOf(invocation: Invocation, calls: { id: string }[], given: JsonObject): ArgumentEdits {
  const named = textOption(invocation, 'call');
  if (named !== undefined) return { [named]: given };
  if (calls.length > 1) throw new UsageError('The turn has several calls: name one with --call.');
  return { [calls[0]?.id ?? '']: given };
}

import type { RequestedCall } from '../domain/model-client.ts';

interface CallDraft {
  index: number | null;
  id: string;
  name: string;
  pieces: string[];
}

/** One entry of `tool_calls` on the wire, trusted in nothing. */
type WireCall = Record<string, unknown>;

/** Puts the tool calls of one answer together from the fragments in which they arrive. */
export interface CallCollector {
  /** Takes the entries of one `tool_calls` list, of a streamed delta or a whole message. */
  add(entries: unknown): void;
  /** The calls in the model's order. An absent id is replaced by `newId()`; duplicates and odd ids are kept. */
  finish(): RequestedCall[];
}

/**
 * Collects raw calls: no argument text is judged, repaired or dropped, a call
 * without a name is kept with an empty one, and two calls with one id stay two.
 * Whoever executes calls decides about them (D-12). Absent or blank arguments
 * mean "none" and become an empty object; arguments sent as a map become its JSON.
 * Fragments belong together by `index`; a provider that leaves it out, or gives
 * one index to several calls, is understood by id, name and finished arguments.
 * Source: runtime.md §11.7, §11.10.
 */
export function createCallCollector(newId: () => string): CallCollector {
  const drafts: CallDraft[] = [];
  return {
    add(entries) {
      if (!Array.isArray(entries)) return;
      for (const entry of entries) if (isRecord(entry)) addEntry(drafts, entry);
    },
    finish() {
      const isIndexed = drafts.every((draft) => draft.index !== null);
      const ordered = isIndexed ? drafts.toSorted((left, right) => Number(left.index) - Number(right.index)) : drafts;
      return ordered.map((draft) => ({
        id: draft.id === '' ? newId() : draft.id,
        name: draft.name,
        argumentsText: blankToObject(draft.pieces.join('')),
      }));
    },
  };
}

function addEntry(drafts: CallDraft[], entry: WireCall): void {
  const called = isRecord(entry.function) ? entry.function : {};
  const index = typeof entry.index === 'number' ? entry.index : null;
  const id = toId(entry.id);
  const name = typeof called.name === 'string' ? called.name : '';
  const argumentsText = toArgumentsText(called.arguments);

  let draft = findDraft(drafts, { index, id, name, argumentsText });
  if (!draft) {
    draft = { index, id: '', name: '', pieces: [] };
    drafts.push(draft);
  }
  draft.id ||= id;
  draft.name ||= name;
  if (argumentsText !== '') draft.pieces.push(argumentsText);
}

interface Fragment {
  index: number | null;
  id: string;
  name: string;
  argumentsText: string;
}

/** The call a fragment continues, or undefined when it begins a new one. */
function findDraft(drafts: CallDraft[], fragment: Fragment): CallDraft | undefined {
  const { index, id, name, argumentsText } = fragment;
  const candidates = index === null ? drafts : drafts.filter((draft) => draft.index === index);
  const sameId = id === '' ? undefined : candidates.findLast((draft) => draft.id === id);
  const last = sameId ?? candidates.at(-1);
  // Only a named fragment can begin a call; but some providers repeat the name on every fragment, so the name alone proves nothing.
  if (!last || name === '' || last.name === '') return last;
  if (name !== last.name) return undefined;
  if (id === '' && index === null) return undefined;
  if (id !== '' && last.id !== '' && id !== last.id) return undefined;
  return argumentsText.trimStart().startsWith('{') && isComplete(last) ? undefined : last;
}

/** Whether the arguments are whole already, so that more text can only belong to another call. */
function isComplete(draft: CallDraft): boolean {
  const last = draft.pieces.at(-1);
  // The cheap look at the end keeps long arguments from being parsed once per fragment.
  if (!last?.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(draft.pieces.join(''));
    return true;
  } catch {
    return false;
  }
}

function toId(id: unknown): string {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.trim() !== '' ? id : '';
}

function toArgumentsText(written: unknown): string {
  if (typeof written === 'string') return written;
  return written === undefined || written === null ? '' : JSON.stringify(written);
}

function blankToObject(text: string): string {
  return text.trim() === '' ? '{}' : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

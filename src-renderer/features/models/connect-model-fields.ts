import type { InputOf } from '../../../src-shared/ipc/contract.ts';
import type { FieldProblem } from '../../../src-shared/refusals.ts';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { textsOf } from '../../components/drafts.ts';

/** A database or a workspace as it stands in the form. */
export type Place = { name: string; path: string };
/** With a number that stays the same while rows come and go around it. */
export type PlaceRow = Place & { row: number };
export type PlaceList = 'databases' | 'workspaces';

export interface ConnectModelFields {
  identifier: string;
  baseUrl: string;
  modelId: string;
  /** Typed by the person; in this form and nowhere else. */
  key: string;
  removesKey: boolean;
  systemPrompt: string;
  databases: PlaceRow[];
  workspaces: PlaceRow[];
}

/** What may be kept of the form: everything but the key. */
export type ConnectModelEntries = Omit<ConnectModelFields, 'key' | 'databases' | 'workspaces'> &
  Record<PlaceList, Place[]>;

/** `base`: what was stored when the typing began, to notice that somebody else changed it. */
export interface ConnectModelDraft {
  entries: ConnectModelEntries;
  base: string;
}

const placeOf = ({ name, path }: Place): Place => ({ name, path });

/** What a stored configuration, or none, shows in the form. */
export function entriesOf(stored: ConfigurationView | null): ConnectModelEntries {
  const model = stored?.model.kind === 'openai_compatible' ? stored.model : null;
  return {
    identifier: stored?.identifier ?? '',
    baseUrl: model?.baseUrl ?? '',
    modelId: model?.modelId ?? '',
    removesKey: false,
    systemPrompt: stored?.systemPrompt ?? '',
    databases: (stored?.databases ?? []).map(placeOf),
    workspaces: (stored?.workspaces ?? []).map(placeOf),
  };
}

/** The form without its key, as it may be kept. */
export function keepable({ key: _key, ...fields }: ConnectModelFields): ConnectModelEntries {
  return { ...fields, databases: fields.databases.map(placeOf), workspaces: fields.workspaces.map(placeOf) };
}

/** Two states of the same configuration have the same text; being switched on or off does not count. */
export const baseOf = (stored: ConfigurationView | null): string =>
  JSON.stringify([entriesOf(stored), stored !== null && hasKey(stored)]);

export const hasKey = ({ model }: ConfigurationView): boolean => model.kind === 'openai_compatible' && model.hasKey;

/** Whether the form names another address than the stored key was entered for, without saying what becomes of the key. */
export function needsKeyAgain(fields: ConnectModelFields, stored: ConfigurationView | null): boolean {
  if (stored?.model.kind !== 'openai_compatible' || !stored.model.hasKey) return false;
  return fields.baseUrl.trim() !== stored.model.baseUrl && fields.key === '' && !fields.removesKey;
}

/**
 * What becomes of the key. Left empty, a configuration there is already keeps its own,
 * also one that another window has just stored.
 */
export function keyChangeOf(
  { key, removesKey }: ConnectModelFields,
  isNew: boolean,
): InputOf<'configurations.connect'>['key'] {
  if (key.trim() !== '') return { kind: 'new', key };
  return isNew || removesKey ? { kind: 'none' } : { kind: 'keep' };
}

/** The lengths of the channel: beyond them the host could not say which field it was. */
const LIMITS = { identifier: 200, baseUrl: 2_048, modelId: 512, key: 4_096, systemPrompt: 100_000 } as const;
const PLACE_LIMITS = { name: 200, path: 4_096 } as const;
export const MAX_PLACES = 50;

/** What is too long to be sent. Everything else is the host's to judge. */
export function lengthProblems(fields: ConnectModelFields): FieldProblem[] {
  const tooLong = (field: string, text: string, limit: number): FieldProblem[] =>
    text.length > limit ? [{ field, problem: 'too_long', limit }] : [];
  return [
    ...(['identifier', 'baseUrl', 'modelId', 'key', 'systemPrompt'] as const).flatMap((field) =>
      tooLong(field, fields[field], LIMITS[field]),
    ),
    ...(['databases', 'workspaces'] as const).flatMap((list) =>
      fields[list].flatMap((place, index) =>
        (['name', 'path'] as const).flatMap((part) =>
          tooLong(`${list}.${index}.${part}`, place[part], PLACE_LIMITS[part]),
        ),
      ),
    ),
  ];
}

/** A stored draft, as far as it fits. */
export function parseConnectModelDraft(stored: unknown): ConnectModelDraft | null {
  const { entries, base } = (stored ?? {}) as { entries?: unknown; base?: unknown };
  if (typeof entries !== 'object' || entries === null || typeof base !== 'string') return null;
  const found = entries as Record<string, unknown>;
  const { removesKey: _removesKey, databases: _databases, workspaces: _workspaces, ...blank } = entriesOf(null);
  return {
    base,
    entries: {
      ...textsOf(blank, entries),
      removesKey: found.removesKey === true,
      databases: placesOf(found.databases),
      workspaces: placesOf(found.workspaces),
    },
  };
}

function placesOf(stored: unknown): Place[] {
  const list: unknown[] = Array.isArray(stored) ? stored : [];
  return list
    .filter((each): each is object => typeof each === 'object' && each !== null)
    .map((each) => textsOf({ name: '', path: '' }, each));
}

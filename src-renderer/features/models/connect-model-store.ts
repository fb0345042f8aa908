import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../../src-shared/ipc/contract.ts';
import type { FieldProblem } from '../../../src-shared/refusals.ts';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import type { ModelTestView } from '../../../src-shared/views/model-test-view.ts';
import { giveCommand, type CommandFailure } from '../../api/give-command.ts';
import type { Drafts } from '../../components/drafts.ts';
import * as form from './connect-model-fields.ts';
import type { ConnectModelDraft, ConnectModelFields, Place, PlaceList } from './connect-model-fields.ts';

/** What a question to the model came to. `none` = not asked, or asked with other entries than these. */
export type ModelTest =
  | { state: 'none' }
  | { state: 'asking' }
  | { state: 'answered'; result: ModelTestView }
  | { state: 'failed'; failure: CommandFailure };

export interface ConnectModelState {
  fields: ConnectModelFields;
  /** The configuration the entries started from; null = a new one. */
  stored: ConfigurationView | null;
  /** The text of `stored`, or of an older state where a draft began. */
  base: string;
  problems: FieldProblem[];
  refusedTimes: number;
  failure: CommandFailure | null;
  isSaving: boolean;
  test: ModelTest;
  isDraftRestored: boolean;
  isDraftKept: boolean;
}

type LineField = 'identifier' | 'baseUrl' | 'modelId' | 'key' | 'systemPrompt';

export interface ConnectModelStore {
  store: StoreApi<ConnectModelState>;
  change(field: LineField, value: string): void;
  removeKey(removes: boolean): void;
  /** The number of the new row. */
  addPlace(list: PlaceList): number;
  changePlace(list: PlaceList, row: number, changed: Partial<Place>): void;
  removePlace(list: PlaceList, row: number): void;
  /** Throws the entries away and shows what is stored. */
  startOver(stored: ConfigurationView | null): void;
  test(): Promise<void>;
  /** What was saved; null when nothing was. */
  save(): Promise<ConfigurationView | null>;
}

/** Fields whose change makes an earlier answer of the model say nothing about the present entries. */
const ASKED_WITH: ReadonlySet<string> = new Set(['baseUrl', 'modelId', 'key', 'removesKey']);

/**
 * The form that connects a model or changes one. A typed key lives in `fields.key`
 * only: it is sent with a test or with saving, is emptied after saving, and is never
 * part of a draft.
 *
 * @param stored  the configuration to change; null = a new one
 */
export function createConnectModelStore(
  client: Client,
  drafts: Drafts<ConnectModelDraft>,
  stored: ConfigurationView | null,
): ConnectModelStore {
  let lastRow = 0;
  const rowOf = (place: Place): form.PlaceRow => ({ ...place, row: ++lastRow });
  const store = createStore<ConnectModelState>(() => firstState(drafts.read(), stored, rowOf));

  function set(changed: Partial<ConnectModelFields>, isAbout: (field: string) => boolean): void {
    const before = store.getState();
    const fields = { ...before.fields, ...changed };
    const entries = form.keepable(fields);
    const isAsStored = JSON.stringify(entries) === JSON.stringify(form.entriesOf(before.stored));
    if (isAsStored) drafts.clear();
    store.setState({
      fields,
      problems: before.problems.filter(({ field }) => !isAbout(field)),
      isDraftKept: isAsStored || drafts.write({ entries, base: before.base }),
      ...(Object.keys(changed).some((field) => ASKED_WITH.has(field)) ? { test: { state: 'none' } } : {}),
    });
  }

  return {
    store,
    change: (field, value) => set({ [field]: value }, (named) => named === field),
    removeKey: (removesKey) => set(removesKey ? { removesKey, key: '' } : { removesKey }, (named) => named === 'key'),
    addPlace(list) {
      const added = rowOf({ name: '', path: '' });
      set({ [list]: [...store.getState().fields[list], added] }, () => false);
      return added.row;
    },
    changePlace(list, row, changed) {
      const rows = store.getState().fields[list];
      const index = rows.findIndex((each) => each.row === row);
      const isAbout = (field: string): boolean =>
        Object.keys(changed).some((part) => field === `${list}.${index}.${part}`);
      set({ [list]: rows.map((each) => (each.row === row ? { ...each, ...changed } : each)) }, isAbout);
    },
    removePlace(list, row) {
      // Problems name rows by their place, which has changed now.
      const isAbout = (field: string): boolean => field.startsWith(`${list}.`);
      set({ [list]: store.getState().fields[list].filter((each) => each.row !== row) }, isAbout);
    },
    startOver(now) {
      drafts.clear();
      store.setState(firstState(null, now, rowOf));
    },
    test: () => testModel(client, store),
    save: () => saveModel(client, drafts, store),
  };
}

function firstState(
  draft: ConnectModelDraft | null,
  stored: ConfigurationView | null,
  rowOf: (place: Place) => form.PlaceRow,
): ConnectModelState {
  const entries = draft?.entries ?? form.entriesOf(stored);
  return {
    fields: {
      ...entries,
      key: '',
      databases: entries.databases.map(rowOf),
      workspaces: entries.workspaces.map(rowOf),
    },
    stored,
    base: draft?.base ?? form.baseOf(stored),
    problems: [],
    refusedTimes: 0,
    failure: null,
    isSaving: false,
    test: { state: 'none' },
    isDraftRestored: draft !== null,
    isDraftKept: true,
  };
}

async function testModel(client: Client, store: StoreApi<ConnectModelState>): Promise<void> {
  const { fields, stored, test, isSaving } = store.getState();
  if (test.state === 'asking' || isSaving) return;
  const problems = form.lengthProblems(fields).filter(({ field }) => ASKED_WITH.has(field));
  if (problems.length > 0) return refuse(store, problems);
  const asking: ModelTest = { state: 'asking' };
  store.setState({ test: asking, problems: [] });
  const answer = await giveCommand(client, 'configurations.testModel', {
    configurationId: stored?.id ?? null,
    baseUrl: fields.baseUrl.trim(),
    modelId: fields.modelId.trim(),
    key: form.keyChangeOf(fields, stored === null),
  });
  // The entries were changed meanwhile: this answer is about others.
  if (store.getState().test !== asking) return;
  if (answer.ok) store.setState({ test: { state: 'answered', result: answer.value } });
  else if ('refusal' in answer && answer.refusal.kind === 'invalid_request') {
    store.setState({ test: { state: 'none' } });
    refuse(store, answer.refusal.problems);
  } else store.setState({ test: { state: 'failed', failure: answer } });
}

async function saveModel(
  client: Client,
  drafts: Drafts<ConnectModelDraft>,
  store: StoreApi<ConnectModelState>,
): Promise<ConfigurationView | null> {
  const { fields, stored, isSaving } = store.getState();
  if (isSaving) return null;
  store.setState({ problems: [], failure: null });
  const tooLong = form.lengthProblems(fields);
  if (tooLong.length > 0) {
    refuse(store, tooLong);
    return null;
  }
  store.setState({ isSaving: true });
  const { removesKey: _removesKey, ...entries } = form.keepable(fields);
  const answer = await giveCommand(client, 'configurations.connect', {
    ...entries,
    identifier: fields.identifier.trim(),
    baseUrl: fields.baseUrl.trim(),
    modelId: fields.modelId.trim(),
    configurationId: stored?.id ?? null,
    key: form.keyChangeOf(fields, stored === null),
  });
  store.setState({ isSaving: false });
  if (answer.ok) {
    drafts.clear();
    store.setState({ fields: { ...store.getState().fields, key: '', removesKey: false } });
    return answer.value;
  }
  if ('refusal' in answer && answer.refusal.kind === 'invalid_request') refuse(store, answer.refusal.problems);
  else store.setState({ failure: answer });
  return null;
}

function refuse(store: StoreApi<ConnectModelState>, problems: FieldProblem[]): void {
  store.setState({ problems, refusedTimes: store.getState().refusedTimes + 1 });
}

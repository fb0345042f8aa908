import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../../src-shared/ipc/contract.ts';
import type { FieldProblem } from '../../../src-shared/refusals.ts';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { giveCommand, type CommandFailure } from '../../api/give-command.ts';
import type { Drafts } from '../../components/drafts.ts';
import { BLANK, roundsOf, startRunProblems, type StartRunFields } from './start-run-fields.ts';

export interface StartRunState {
  fields: StartRunFields;
  problems: FieldProblem[];
  /** How often starting failed because of fields. */
  refusedTimes: number;
  /** Why the last try came to nothing, where it was not a field. */
  failure: CommandFailure | null;
  isStarting: boolean;
  /** The example was wanted while something else is typed; a second press replaces it. */
  isReplacing: boolean;
  /** The chosen configuration is gone or was switched off. */
  isChoiceLost: boolean;
  isDraftKept: boolean;
}

export interface StartRunStore {
  store: StoreApi<StartRunState>;
  change(field: keyof StartRunFields, value: string): void;
  /** What can be chosen now. The only usable one is chosen; of several none is. */
  offer(configurations: ConfigurationView[]): void;
  takeExample(example: string): void;
  /** The started run's id; null when nothing was started. */
  start(): Promise<string | null>;
}

/** The host names the request as a whole where its text cannot be stored: for a person that is the text. */
const atField = (problem: FieldProblem): FieldProblem =>
  problem.field === 'request' ? { ...problem, field: 'prompt' } : problem;

/** The form that starts a run. It keeps what was typed until a run was started with it. */
export function createStartRunStore(
  client: Client,
  drafts: Drafts<StartRunFields>,
  newRunId: () => string,
): StartRunStore {
  const store = createStore<StartRunState>(() => ({
    fields: drafts.read() ?? BLANK,
    problems: [],
    refusedTimes: 0,
    failure: null,
    isStarting: false,
    isReplacing: false,
    isChoiceLost: false,
    isDraftKept: true,
  }));

  function set(changed: Partial<StartRunFields>, rest: Partial<StartRunState> = {}): void {
    const fields = { ...store.getState().fields, runId: '', ...changed };
    const problems = store.getState().problems.filter(({ field }) => !Object.hasOwn(changed, field));
    store.setState({ fields, problems, isReplacing: false, isDraftKept: drafts.write(fields), ...rest });
  }

  return {
    store,
    change: (field, value) => set({ [field]: value }, field === 'configurationId' ? { isChoiceLost: false } : {}),
    offer(configurations) {
      const chosen = store.getState().fields.configurationId;
      const usable = configurations.filter(({ isActive }) => isActive);
      if (usable.some(({ id }) => id === chosen)) return;
      if (chosen !== '') return set({ configurationId: '' }, { isChoiceLost: true });
      const [first, second] = usable;
      if (first && !second && !store.getState().isChoiceLost) set({ configurationId: first.id });
    },
    takeExample(example) {
      const { fields, isReplacing } = store.getState();
      const isTyped = fields.prompt.trim() !== '' && fields.prompt !== example;
      if (isTyped && !isReplacing) store.setState({ isReplacing: true });
      else set({ prompt: example });
    },
    start() {
      // Stored before it is sent: after a reload the same start is asked for, not another one.
      const { fields, isStarting } = store.getState();
      if (!isStarting && fields.runId === '') set({ runId: newRunId() });
      return start(client, drafts, store);
    },
  };
}

async function start(
  client: Client,
  drafts: Drafts<StartRunFields>,
  store: StoreApi<StartRunState>,
): Promise<string | null> {
  const { fields, isStarting } = store.getState();
  if (isStarting) return null;
  store.setState({ problems: [], failure: null, isReplacing: false });
  const problems = startRunProblems(fields);
  if (problems.length > 0) return refuse(store, problems);
  store.setState({ isStarting: true });
  const { runId, configurationId, prompt, label, maxRounds } = fields;
  const request = { runId, configurationId, prompt, label: label.trim(), maxRounds: roundsOf(maxRounds) ?? null };
  const answer = await giveCommand(client, 'runs.start', request);
  store.setState({ isStarting: false });
  if (answer.ok) {
    // What was typed while the host was busy belongs to the next run.
    if (store.getState().fields === fields) {
      drafts.clear();
      store.setState({ fields: BLANK });
    }
    return answer.value.runId;
  }
  if ('refusal' in answer && answer.refusal.kind === 'invalid_request') return refuse(store, answer.refusal.problems);
  store.setState({ failure: answer });
  return null;
}

function refuse(store: StoreApi<StartRunState>, problems: FieldProblem[]): null {
  store.setState({ problems: problems.map(atField), refusedTimes: store.getState().refusedTimes + 1 });
  return null;
}

import assert from 'node:assert/strict';
import { enqueueInput } from '../support/store.ts';
import type { CommandKind, CommandOf } from './commands.ts';
import type { Asked, Life } from './life.ts';
import { isOver, type ModelPerson, type ModelRun } from './model-state.ts';
import { actorOf, NOBODYS_RUN, pickRun } from './picks.ts';
import { damageTurnsOnModel, endOfflineOnModel, mendDueTimesOnModel, pauseOnModel } from './reference.ts';

type Play<K extends CommandKind> = (life: Life, command: CommandOf<K>) => Promise<void>;

/** Living runs of one sequence: enough to meet each other, few enough that each gets somewhere. */
const MOST_RUNS = 3;

const enqueue: Play<'enqueue'> = async (life, { person, configuration, isInteractive, flaw }) => {
  if (life.runs().filter((run) => !isOver(run)).length >= MOST_RUNS) return;
  const input = enqueueInput(flaw === 'gone' ? 'gone' : configuration, {
    id: `run-${life.model.runs.size + 1}`,
    actor: actorOf(person),
    mode: isInteractive ? 'interactive' : 'queued',
  });
  if (flaw === 'empty') input.request = { ...input.request, messages: [] };
  await life.ask(input.id, 'enqueue', input);
};

/** Somebody asks a second time for a start whose answer was lost. */
const enqueueAgain: Play<'enqueue_again'> = async (life, { run, person, configuration }) => {
  const id = pickRun(life, run, () => true);
  if (!id || id === NOBODYS_RUN) return;
  await life.ask(id, 'enqueue', enqueueInput(configuration, { id, actor: actorOf(person) }));
};

/** The brake is pulled, or let go. */
export async function beginPause(life: Life, person: number, isPaused: boolean): Asked {
  const result = await life.world.store.setPause({ actor: actorOf(person), isPaused }, life.nowMs);
  return () => {
    const was = life.model.pause.isPaused;
    const no = pauseOnModel(life.model, person, isPaused);
    const answer = result.ok ? null : result.refusal.kind;
    const about = `by ${person}`;
    life.note(isPaused ? 'pause' : 'resume', about, answer ?? (was === isPaused ? 'nothing' : 'accepted'));
    assert.equal(answer, no, `${isPaused ? 'pause' : 'resume'} ${about}`);
    if (no === null && was !== isPaused) life.hasWritten = true;
  };
}

export const switchTo = async (life: Life, configuration: string, isActive: boolean): Promise<void> => {
  if (life.model.configurations.get(configuration)?.isActive === isActive) return;
  await life.world.switchConfiguration(configuration, isActive, life.nowMs);
  Object.assign(life.model.configurations.get(configuration) ?? {}, { isActive });
  life.hasWritten = true;
  life.tell(`${configuration} is ${isActive ? 'on' : 'off'}`);
};

const setEnabled = (life: Life, id: number, isEnabled: boolean): void => {
  const person = life.model.people.get(id) as ModelPerson;
  if (person.isEnabled === isEnabled) return;
  person.isEnabled = isEnabled;
  life.world.savePerson(id, person);
  life.hasWritten = true;
  life.tell(`person ${id} is ${isEnabled ? 'enabled' : 'disabled'}`);
};

/** What is about all runs says how many it changed. */
const compareCount = (life: Life, what: 'end_offline' | 'mend_due_times', found: unknown, foretold: number): void => {
  life.note(what, '', foretold > 0 ? 'accepted' : 'nothing');
  assert.deepEqual(found, { ok: true, value: foretold }, `runs changed by ${what}`);
  if (foretold > 0) life.hasWritten = true;
};

/** Another process keeps the lock for longer than anybody waits. */
const askBusy: Play<'ask_a_busy_store'> = async (life, { run, person }) => {
  const runId = pickRun(life, run, () => true);
  if (!runId) return;
  life.world.outside.exec('begin immediate');
  const result = await life.world.store
    .transition(runId, life.request('cancel', { actor: actorOf(person) }))
    .finally(() => life.world.outside.exec('rollback'));
  life.note('cancel', runId, result.ok ? 'accepted' : result.refusal.kind);
  assert.deepEqual(result, { ok: false, refusal: { kind: 'store_busy', waitedMs: 5_000 } });
};

const queued = (life: Life): ModelRun[] => life.runs().filter(({ row }) => row.status === 'queued');

export function setClockBack(life: Life, ms: number): void {
  life.nowMs -= ms;
  life.tell(`the clock was set back by ${ms} ms`);
}

/** As a bad disk does it. */
export function damageTurns(life: Life): void {
  const damaged = damageTurnsOnModel(life.model);
  life.world.damageTurns();
  if (damaged > 0) life.hasWritten = true;
  life.tell(`${damaged} stored turns were damaged`);
}

export const INSTALLATION_PLAYS = {
  enqueue,
  enqueue_again: enqueueAgain,
  wait: async (life, { ms }) => {
    life.nowMs += ms;
    life.tell(`${ms} ms have passed`);
  },
  set_clock_back: async (life, { ms }) => setClockBack(life, ms),
  wait_until_due: async (life) => {
    const later = queued(life).map(({ row }) => Math.max(row.nextAttemptAtMs, row.notBeforeAtMs));
    if (later.length > 0) life.nowMs = Math.max(life.nowMs, Math.min(...later));
    life.tell('the first that waits is due');
  },
  mend_due_times: async (life, { isAimed }) => {
    if (isAimed && !queued(life).some(({ row }) => row.queuedAtMs > life.nowMs)) return;
    const found = await life.world.store.mendDueTimes(life.nowMs);
    compareCount(life, 'mend_due_times', found, mendDueTimesOnModel(life.model, life.nowMs));
  },
  pause: (life, { person }) => life.atOnce(beginPause(life, person, true)),
  resume: async (life, { person, isAimed }) => {
    if (!isAimed || life.model.pause.isPaused) await life.atOnce(beginPause(life, person, false));
  },
  switch_off: (life, { configuration }) => switchTo(life, configuration, false),
  switch_on: (life, { configuration }) => switchTo(life, configuration, true),
  disable_person: async (life, { person }) => setEnabled(life, person, false),
  enable_person: async (life, { person }) => setEnabled(life, person, true),
  end_offline: async (life, { configuration, isAimed }) => {
    if (isAimed && !queued(life).some(({ row }) => row.hold === 'offline')) return;
    const found = await life.world.store.endOffline(configuration, life.nowMs);
    compareCount(life, 'end_offline', found, endOfflineOnModel(life.model, configuration, life.nowMs));
  },
  reopen: async (life) => {
    life.world.reopen();
    life.hasReopened = true;
    life.tell('the store was closed and opened');
  },
  ask_a_busy_store: askBusy,
  damage_turns: async (life) => damageTurns(life),
} satisfies { [K in CommandKind]?: Play<K> };

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../src-main/domain/actor.ts';
import type { ConfigurationSettings } from '../../src-main/domain/configuration.ts';
import type { EventDraft, RunEvent, RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import { executeSegment } from '../../src-main/runtime/execute-segment.ts';
import { Runtime, type CardDecision, type StartRun } from '../../src-main/runtime/runtime.ts';
import { createBreakers } from '../../src-main/runtime/breakers.ts';
import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import type { SegmentPorts } from '../../src-main/runtime/segment-ports.ts';
import type { ToolDefinition } from '../../src-main/domain/tool.ts';
import type { RunStore } from '../../src-main/store/run-store.ts';
import type { Grant } from '../../src-shared/vocabulary.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { loadOperator, saveOperator } from '../../src-main/store/operator-store.ts';
import type { Result } from '../../src-shared/refusals.ts';
import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeModel, type FakeModel } from './fake-model.ts';
import { openStoreFixture, type StoreFixture } from './store.ts';
import { createCatalogue, createWorld, createWorldTools, type World } from './tool-world.ts';

/** The people of the case catalogue, as actors. */
export const ADMIN: Actor = { kind: 'operator', operatorId: 1 };
export const OWNER: Actor = { kind: 'operator', operatorId: 3 };
export const COLLEAGUE: Actor = { kind: 'operator', operatorId: 5 };
export const OUTSIDER: Actor = { kind: 'operator', operatorId: 9 };

/** The whole runtime in this process: a real store on a file, a fake model, a fake clock and a world of tools. */
export interface RuntimeFixture extends StoreFixture {
  clock: FakeClock;
  model: FakeModel;
  world: World;
  runtime: Runtime;
  ports: SegmentPorts;
  /** What went to the log. */
  reports: { error: unknown; where: string }[];
  /** Asked before each transition of a segment; may act first, answer instead, throw, or never resolve (a dead process). */
  intercept: (kind: TransitionKind, input: object) => Promise<Result<RunRecord> | null> | null;
  onCrashPoint: (point: CrashPoint) => void;
  /** Enqueues as the owner. */
  start(changes?: Partial<StartRun>, actor?: Actor): Promise<RunRecord>;
  /** Claims the next due run, which must be there, and executes one segment. */
  segment(stopping?: AbortSignal): Promise<RunOutcome>;
  /** Decides with the bindings of the card the actor sees. */
  approve(runId: string, actor?: Actor, card?: Partial<CardDecision>): Promise<Result<RunRecord>>;
  deny(runId: string, actor?: Actor, card?: Partial<CardDecision>): Promise<Result<RunRecord>>;
  row(runId: string): Promise<RunRecord>;
  events(runId: string): Promise<RunEvent[]>;
  kinds(runId: string): Promise<EventDraft['kind'][]>;
  /** Changes the configuration from now on. */
  configure(settings: Partial<ConfigurationSettings>): void;
  /** Changes an operator's row from now on. */
  setOperator(id: number, changes: { isEnabled?: boolean; isAdmin?: boolean }): void;
  /** Switches the configuration on or off, as a person would. */
  setActive(isActive: boolean): void;
  /** Takes a tool out of the registry. */
  unregister(name: string): void;
  /** Defines a tool otherwise, as another release might. */
  redefine(name: string, changes: Partial<ToolDefinition>): void;
  /**
   * Runs a segment that dies at a point and never answers again, then takes its run
   * back like a reaper and returns it; null when the segment ended before the point.
   */
  dieAt(point: CrashPoint | ((kind: TransitionKind) => boolean)): Promise<RunRecord | null>;
}

export type Script = Parameters<typeof createFakeModel>[0];

export function openRuntimeFixture(script: Script, settings: Partial<ConfigurationSettings> = {}): RuntimeFixture {
  const base = openStoreFixture(settings);
  addPeople(base);
  const clock = createFakeClock();
  const world = createWorld();
  const reports: RuntimeFixture['reports'] = [];
  const report = (error: unknown, where: string): void => void reports.push({ error, where });
  const { tools, catalogue, definitions } = createWorldTools(world, report);
  const model = createFakeModel(script);
  const held: Pick<RuntimeFixture, 'intercept' | 'onCrashPoint'> = {
    intercept: () => null,
    onCrashPoint: () => undefined,
  };
  const ports: SegmentPorts = {
    store: guarded(base.store, (kind, input) => fixture.intercept(kind, input)),
    tools,
    catalogue,
    modelFor: async () => model,
    breakers: createBreakers(clock.monotonicMs),
    clock,
    protectedPaths: ['/protected'],
    report,
    crashPoint: (point) => fixture.onCrashPoint(point),
  };
  const runtime = new Runtime({
    store: base.store,
    catalogue,
    clock,
    newRunId: randomUUID,
    report,
    crashPoint: ports.crashPoint,
  });
  const fixture: RuntimeFixture = {
    ...base,
    ...held,
    clock,
    model,
    world,
    runtime,
    ports,
    reports,
    ...operations(base, () => fixture),
    configure(changes) {
      base.configuration.settings = { ...base.configuration.settings, ...changes };
      saveConfiguration(base.statements, base.sealer, base.configuration, undefined, clock.nowMs());
    },
    unregister(name) {
      const kept = definitions.filter((definition) => definition.name !== name);
      Object.assign(catalogue, createCatalogue(kept));
    },
    redefine(name, changes) {
      const redefined = definitions.map((definition) =>
        definition.name === name ? { ...definition, ...changes } : definition,
      );
      Object.assign(catalogue, createCatalogue(redefined));
    },
  };
  return fixture;
}

type Operations = Pick<
  RuntimeFixture,
  'start' | 'segment' | 'approve' | 'deny' | 'row' | 'events' | 'kinds' | 'setOperator' | 'setActive' | 'dieAt'
>;

function operations(base: StoreFixture, self: () => RuntimeFixture): Operations {
  const claim = async (): Promise<RunRecord> => {
    const nowMs = self().clock.nowMs();
    const tools = self().ports.catalogue.list();
    const wanted = { workerId: 'w1', ownerToken: randomUUID(), nowMs, isIdle: true, tools };
    const claimed = await base.store.claim(wanted);
    if (!claimed.ok || !claimed.value) throw new Error('No run is due.');
    return claimed.value;
  };
  const row = async (runId: string): Promise<RunRecord> => {
    const run = await base.store.run(runId);
    if (!run) throw new Error(`There is no run ${runId}.`);
    return run;
  };
  const cardOf = async (runId: string, actor: Actor): Promise<CardDecision> => {
    const card = await self().runtime.pendingDecision(actor, runId);
    return { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
  };
  return {
    async start(changes = {}, actor = OWNER) {
      const wanted: StartRun = {
        configurationId: base.configuration.id,
        label: 'a run',
        prompt: 'Look after the site',
        maxRounds: null,
        allowedToolNames: null,
        ...changes,
      };
      const result = await self().runtime.enqueue(actor, wanted);
      if (!result.ok) throw new Error(`The run was refused: ${result.refusal.kind}`);
      return result.value;
    },
    segment: async (stopping = new AbortController().signal) => executeSegment(self().ports, await claim(), stopping),
    approve: async (runId, actor = OWNER, card = {}) =>
      self().runtime.approve(actor, runId, { ...(await cardOf(runId, actor)), ...card }),
    deny: async (runId, actor = OWNER, card = {}) =>
      self().runtime.deny(actor, runId, { ...(await cardOf(runId, actor)), ...card }),
    row,
    events: (runId) => base.store.events(runId, -1),
    kinds: async (runId) => (await base.store.events(runId, -1)).map((event) => event.kind),
    setOperator(id, changes) {
      const operator = loadOperator(base.statements, base.sealer, id);
      if (!operator) throw new Error(`There is no operator ${id}.`);
      saveOperator(
        base.statements,
        base.sealer,
        { ...operator, osAccount: `uid:${id}`, ...changes },
        self().clock.nowMs(),
      );
    },
    setActive(isActive) {
      saveConfiguration(
        base.statements,
        base.sealer,
        { ...base.configuration, isActive },
        undefined,
        self().clock.nowMs(),
      );
    },
    dieAt: (point) => die(self(), claim, point),
  };
}

async function die(
  fixture: RuntimeFixture,
  claim: () => Promise<RunRecord>,
  at: CrashPoint | ((kind: TransitionKind) => boolean),
): Promise<RunRecord | null> {
  const { intercept, onCrashPoint } = fixture;
  const run = await claim();
  let isDead = false;
  const dead = new Promise<void>((resolve) => {
    fixture.onCrashPoint = (point) => {
      if (point !== at) return;
      isDead = true;
      resolve();
      throw new Error('This process is dead.');
    };
    fixture.intercept = (kind) => {
      if (typeof at === 'function' && at(kind)) {
        isDead = true;
        resolve();
      }
      return isDead ? new Promise(() => undefined) : null;
    };
  });
  await Promise.race([dead, executeSegment(fixture.ports, run, new AbortController().signal)]);
  Object.assign(fixture, { intercept, onCrashPoint });
  if (!isDead) return null;
  const { ownerToken } = await fixture.row(run.id);
  const input = { ownerToken, cause: 'worker_died' } as const;
  const nowMs = fixture.clock.nowMs();
  const reclaimed = await fixture.store.transition(run.id, { kind: 'reclaim', input, nowMs });
  if (!reclaimed.ok) throw new Error(`The dead segment's run was not taken back: ${reclaimed.refusal.kind}`);
  // What takes workers down waits for its next try; nothing else happens meanwhile.
  await fixture.clock.advance(Math.max(0, reclaimed.value.nextAttemptAtMs - nowMs));
  return reclaimed.value;
}

/** The store as a segment sees it, with a test between. */
function guarded(store: RunStore, intercept: RuntimeFixture['intercept']): RunStore {
  return {
    ...store,
    async transition<K extends TransitionKind>(
      runId: string,
      request: { kind: K; input: TransitionInputs[K]; nowMs: number },
    ) {
      return (await intercept(request.kind, request.input)) ?? store.transition(runId, request);
    },
    async transitionPair(runId, first, second) {
      return (
        (await intercept(first.kind, first.input)) ??
        (await intercept(second.kind, second.input)) ??
        store.transitionPair(runId, first, second)
      );
    },
  };
}

function addPeople({ statements, sealer }: StoreFixture): void {
  for (const [id, grants] of [
    [3, []],
    [5, ['agent_approve']],
    [9, []],
  ] as [number, Grant[]][]) {
    const person = { id, name: `person ${id}`, osAccount: `uid:${id}`, isAdmin: false, isEnabled: true, grants };
    saveOperator(statements, sealer, person, 1);
  }
}

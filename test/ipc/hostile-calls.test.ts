import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenService } from '../../src-main/compose.ts';
import type { Actor } from '../../src-main/domain/actor.ts';
import { ANONYMOUS } from '../../src-main/domain/actor.ts';
import { ANY_RUN } from '../../src-main/domain/run-search.ts';
import { CONTRACT, isCallName, type CallName, type InputOf } from '../../src-shared/ipc/contract.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, type RuntimeFixture } from '../support/runtime.ts';
import { contentDigest, serviceOf } from '../support/service.ts';
import { useRuntime } from '../support/use-runtime.ts';

const CALLS = Object.keys(CONTRACT).filter((name): name is CallName => isCallName(name));
const COMMANDS = CALLS.filter((name) => CONTRACT[name].kind === 'command');
/** Stands in every text that is sent; the log must never hold it. */
const MARKER = 'marker-5e1f';

/** The inputs a page really sends, for one waiting run. */
type Inputs = { [Name in CallName]: InputOf<Name> };
const inputsFor = (runId: string, turnDigest: string, configurationId: string): Inputs => {
  const card = { runId, turnDigest, previewRevision: 1, claims: { via: 'keyboard' as const } };
  const endpoint = {
    baseUrl: `http://127.0.0.1:9/${MARKER}`,
    modelId: MARKER,
    key: { kind: 'new' as const, key: `sk-${MARKER}` },
  };
  return {
    'runs.start': {
      runId: '11111111-2222-4333-8444-555555555555',
      configurationId,
      label: MARKER,
      prompt: MARKER,
      maxRounds: 3,
    },
    'runs.detail': { runId },
    'runs.events': { runId, afterSequence: -1 },
    'runs.pendingDecision': { runId },
    'runs.approve': { ...card, confirmsBlind: false },
    'runs.deny': { ...card, reason: 'skip', note: MARKER },
    'runs.submitInput': { ...card, answers: { [MARKER]: { town: MARKER } } },
    'runs.withdraw': { runId },
    'runs.cancel': { runId },
    'runs.retry': { runId },
    'runs.resolveWrite': { runId, callId: MARKER, finding: 'written' },
    'runs.search': {
      filter: {
        text: MARKER,
        group: 'needs_me',
        status: null,
        tool: MARKER,
        target: null,
        configuration: MARKER,
        initiator: null,
        sinceMs: 0,
      },
      after: null,
      limit: 10,
      withFacets: true,
    },
    'inbox.overview': { waitingLimit: 10 },
    'configurations.list': {},
    'configurations.connect': {
      configurationId: null,
      identifier: 'local',
      ...endpoint,
      systemPrompt: MARKER,
      databases: [{ name: 'a', path: `/${MARKER}` }],
      workspaces: [],
    },
    'configurations.testModel': { configurationId: null, ...endpoint },
    'configurations.trySample': {},
    'host.session': {},
    'host.health': {},
    'host.setPause': { isPaused: true },
    'host.openWindow': {},
  };
};

const WRONG = [
  null,
  undefined,
  7,
  1.5,
  -1,
  Number.NaN,
  Number.MAX_VALUE,
  true,
  MARKER,
  '',
  [],
  [MARKER],
  {},
  { key: 1 },
];
const SMUGGLED = { actor: ADMIN, operatorId: 1, initiatorId: 1, decidedBy: 1, isAdmin: true, [MARKER]: MARKER };
const withPrototype = (input: object): unknown =>
  JSON.parse(
    JSON.stringify(input).replace(/}$/, `${Object.keys(input).length > 0 ? ',' : ''}"__proto__":{"runId":"x"}}`),
  );

/** Every input that differs from a good one in one place, at any depth, and does not fit any more. */
function broken(name: CallName, good: object): unknown[] {
  const schema: TSchema = CONTRACT[name].input;
  const whole = [
    ...WRONG,
    withPrototype(good),
    ...Object.entries(SMUGGLED).map(([key, value]) => ({ ...good, [key]: value })),
  ];
  return [...whole, ...changedFields(good)].filter((input) => !Check(schema, input));
}

function changedFields(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const put = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    const { [key]: _dropped, ...without } = value as Record<string, unknown>;
    return [...(Array.isArray(value) ? [] : [without]), ...WRONG.map(put), ...changedFields(inner).map(put)];
  });
}

describe('calls of a page that means no good', () => {
  const open = useRuntime();
  let f: RuntimeFixture;
  let runId: string;
  let good: Inputs;
  const services: OpenService[] = [];
  const serve = (actor: Actor): OpenService => {
    const service = serviceOf(f, actor);
    services.push(service);
    return service;
  };

  beforeEach(async () => {
    f = open([{ calls: [call('set_x', { key: 'title', value: 'new' })] }, { text: 'done' }]);
    ({ id: runId } = await f.start());
    await f.segment();
    const card = await f.runtime.pendingDecision(ADMIN, runId);
    if (!card) throw new Error('There is nothing to decide, so these tests would prove nothing.');
    good = inputsFor(runId, card.turnDigest, f.configuration.id);
  });
  afterEach(async () => {
    const closing = services.splice(0).map((service) => service.close());
    await f.clock.advance(1_000);
    await Promise.all(closing);
  });

  /** Nothing was stored, and nothing that was sent stands in the log. */
  async function expectUntouched(work: () => Promise<void>): Promise<void> {
    const before = contentDigest(f);
    await work();
    expect(contentDigest(f)).toBe(before);
    expect(
      JSON.stringify(f.reports.map(({ error, where }) => [String(error), JSON.stringify(error), where])),
    ).not.toContain(MARKER);
  }

  it.each(CALLS)(
    'T-54 %s answers whatever does not fit with a fault that says nothing, and changes nothing',
    async (name) => {
      const service = serve(ADMIN);
      const inputs = broken(name, good[name]);
      expect(inputs.length).toBeGreaterThan(WRONG.length);
      await expectUntouched(async () => {
        for (const input of inputs) {
          const reply = await service.call(name, input);
          expect(reply, JSON.stringify(input)).toEqual({
            ok: false,
            fault: { code: 'bad_input', reference: expect.stringMatching(/^[0-9a-f]{8}$/) as string },
          });
        }
      });
      expect(f.reports).toHaveLength(inputs.length);
    },
  );

  it.each([
    '',
    'nope',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'runs.changed',
    `x${MARKER}`,
    'runs.approve ',
    'RUNS.APPROVE',
  ])('the name %j is no call', async (name) => {
    await expectUntouched(async () => {
      expect(await serve(ADMIN).call(name, good['runs.approve'])).toMatchObject({ fault: { code: 'unknown_channel' } });
    });
  });

  const ofRuns = CALLS.filter((name) => name.startsWith('runs.') && !['runs.start', 'runs.search'].includes(name));
  /** Asks for every run there is. */
  const EVERYTHING = { filter: ANY_RUN, after: null, limit: 10, withFacets: true };
  const isEmpty = (reply: Reply): boolean =>
    reply.ok ? reply.value === null || (Array.isArray(reply.value) && reply.value.length === 0) : 'refusal' in reply;

  it.each(['__proto__', 'constructor', 'ffffffff-ffff-4fff-8fff-ffffffffffff', '\ud800', '%', "' or 1=1 --"])(
    'LIM-09 the run id %j is an unknown run everywhere',
    async (foreign) => {
      const service = serve(ADMIN);
      await expectUntouched(async () => {
        for (const name of ofRuns) {
          const reply = await service.call(name, { ...good[name], runId: foreign });
          expect(reply, name).toSatisfy(isEmpty);
        }
      });
    },
  );

  it.each([
    ['a stranger', OUTSIDER],
    ['nobody', ANONYMOUS],
  ] as [string, Actor][])(
    'LIM-09 %s gets the same answers for a real run as for none, with the right digest',
    async (_who, actor) => {
      const service = serve(actor);
      await expectUntouched(async () => {
        for (const name of ofRuns) {
          const real = await service.call(name, good[name]);
          expect(real, name).toSatisfy(isEmpty);
          expect(real).toEqual(await service.call(name, { ...good[name], runId: 'no-such-run' }));
        }
        expect(await service.call('runs.search', EVERYTHING)).toMatchObject({
          value: { runs: [], count: 0, next: null },
        });
        const inbox = await service.call('inbox.overview', { waitingLimit: 10 });
        expect(inbox).toMatchObject({
          value: { waiting: [], active: [], recent: [], uncertainWrites: [], counts: { waiting_for_approval: 0 } },
        });
      });
    },
  );

  it.each(['configurations.connect', 'configurations.testModel', 'configurations.trySample'] as const)(
    '%s is refused to everybody but an enabled administrator, on the row as it is now',
    async (name) => {
      await expectUntouched(async () => {
        for (const actor of [OUTSIDER, COLLEAGUE])
          expect(await serve(actor).call(name, good[name])).toEqual({
            ok: false,
            refusal: { kind: 'not_administrator' },
          });
        expect(await serve(ANONYMOUS).call(name, good[name])).toEqual({
          ok: false,
          refusal: { kind: 'operator_unavailable' },
        });
      });
      f.setOperator(1, { isEnabled: false });
      await expectUntouched(async () => {
        expect(await serve(ADMIN).call(name, good[name])).toEqual({
          ok: false,
          refusal: { kind: 'operator_unavailable' },
        });
      });
    },
  );

  it('the same inputs do their work for who may: nothing above was refused for another reason', async () => {
    const service = serve(ADMIN);
    for (const name of ['runs.detail', 'runs.pendingDecision', 'runs.events', 'runs.start', 'runs.approve'] as const)
      expect(await service.call(name, good[name]), name).toMatchObject({ ok: true, value: {} });
    expect((await f.row(runId)).status).toBe('queued');
  });

  it('someone who was switched off gets nothing out of any call and changes nothing', async () => {
    const service = serve(ADMIN);
    f.setOperator(1, { isEnabled: false });
    await expectUntouched(async () => {
      for (const name of COMMANDS.filter((each) => each !== 'host.openWindow'))
        expect(await service.call(name, good[name]), name).toMatchObject({ ok: false, refusal: {} });
      for (const name of ofRuns) expect(await service.call(name, good[name]), name).toSatisfy(isEmpty);
      expect(await service.call('runs.search', EVERYTHING)).toMatchObject({ value: { runs: [], facets: null } });
      expect(await service.call('configurations.list', {})).toEqual({ ok: true, value: [] });
      expect(await service.call('host.session', {})).toMatchObject({ value: { isAdmin: false } });
      expect(await service.call('host.health', {})).toMatchObject({ value: { waiting: 0, workers: [] } });
    });
  });
});

import { describe, expect, it } from 'vitest';
import { PRIVACY_LEVELS, type PrivacyLevel, type Scope } from '../../src-shared/vocabulary.ts';
import type { Actor } from '../../src-main/domain/actor.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const SECRET = 'planted-SECRETWORD';
const setTitle = call('set_x', { key: 'title', value: SECRET });
const setBody = call('set_x', { key: 'body', value: 'next' });

describe('the timeline of a run', () => {
  const open = useRuntime();

  /** A turn denied, one that came back, one approved by another person, and one that waits. */
  async function eventful(privacy: PrivacyLevel): Promise<[RuntimeFixture, string]> {
    const turns = [{ text: SECRET, calls: [call('set_x', { key: 'body', value: SECRET })] }, { calls: [setTitle] }];
    const f = open([...turns, { calls: [setBody] }, { text: SECRET }], { privacy, disabledTools: ['make_x'] });
    const { id } = await f.start({ prompt: SECRET });
    await f.segment();
    await f.deny(id, OWNER, { denialReason: 'skip', note: SECRET });
    await f.segment();
    await f.approve(id);
    f.world.values.set('title', 'moved');
    await f.segment();
    await f.approve(id, COLLEAGUE);
    expect(await f.segment()).toBe('awaiting_approval');
    return [f, id];
  }

  it.each(PRIVACY_LEVELS)(
    'R-181, H-352 and H-354 says at level %s who decided and how it went, never what',
    async (level) => {
      const [f, id] = await eventful(level);
      const entries = await f.runtime.timeline(OWNER, id);
      expect(JSON.stringify(entries)).not.toContain(SECRET);
      expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index));
      expect(
        entries
          .filter(({ kind }) => kind === 'approval')
          .map(({ attribution, details }) => [attribution, details.decidedBy, details.denialReason]),
      ).toEqual([
        ['', 3, 'skip'],
        ['self', 3, undefined],
        ['secondPerson', 5, undefined],
      ]);
      const tools = entries.filter(({ kind }) => kind === 'tool').map(({ details }) => details);
      expect(tools).toMatchObject([
        { toolName: 'set_x', outcome: 'refused', refusal: 'denied', toolIsError: true },
        { toolName: 'set_x', outcome: 'ok', toolIsError: false },
      ]);
      for (const details of tools) expect(Number(details.toolResultLength)).toBeGreaterThan(0);
      expect(entries.find(({ kind }) => kind === 'request')?.details.toolsDenied).toContain('make_x: toolDisabled');
      // The stored events of decisions are the same at every level, and hold no word of the note, the arguments or the preview.
      const decisions = (await f.events(id)).filter(({ kind }) => kind.startsWith('approval'));
      expect(decisions).toHaveLength(4);
      expect(JSON.stringify(decisions)).not.toMatch(/SECRETWORD|moved/);
    },
  );

  it.each(PRIVACY_LEVELS)(
    'H-353 keeps of an answer at level %s who gave it; its values as the level keeps any result',
    async (level) => {
      const f = open([{ calls: [call('ask_x', {})] }, { text: 'done' }], { privacy: level });
      const { id } = await f.start();
      expect(await f.segment()).toBe('awaiting_input');
      const card = await f.runtime.pendingDecision(OWNER, id);
      const { turnDigest = null, previewRevision = null } = card ?? {};
      const answers = Object.fromEntries((card?.questions ?? []).map(({ callId }) => [callId, { town: SECRET }]));
      expect(await f.runtime.submitInput(OWNER, id, { turnDigest, previewRevision, answers })).toMatchObject({
        ok: true,
      });
      expect(await f.segment()).toBe('completed');
      const input = (await f.events(id)).find(({ kind }) => kind === 'input');
      expect(input?.payload).toMatchObject({ submittedBy: 3 });
      expect(JSON.stringify(input)).not.toContain(SECRET);
      // Like every result, and as 0016 says: in the steps at two levels, at the two others nowhere.
      const isKept = level === 'redacted' || level === 'full';
      expect(JSON.stringify(f.database.prepare('select * from run_events').all()).includes(SECRET)).toBe(isKept);
      const entries = await f.runtime.timeline(OWNER, id);
      expect(entries.find(({ kind }) => kind === 'input')).toMatchObject({ details: { submittedBy: 3 } });
      expect(JSON.stringify([entries, f.reports])).not.toContain(SECRET);
    },
  );

  it('D-25 is there for who may decide, as long as the run waits for them, and without its content', async () => {
    const [f, id] = await eventful('full');
    const told = await f.runtime.timeline(OWNER, id);
    expect(told.length).toBeGreaterThan(10);
    const serviceThatMay = (scope: Scope): Actor => ({ kind: 'service', name: 'robot', scopes: [scope] });
    for (const decider of [ADMIN, COLLEAGUE, serviceThatMay('agent:approve')])
      expect(await f.runtime.timeline(decider, id)).toEqual(told);
    expect(await f.runtime.timeline(COLLEAGUE, id, told.length - 2)).toEqual(told.slice(-1));
    expect(JSON.stringify(told)).not.toContain(SECRET);
    // What was stored, the answer and the end stay with owner and administrators.
    expect(await f.runtime.events(COLLEAGUE, id)).toEqual([]);
    expect(await f.runtime.result(COLLEAGUE, id)).toBeNull();
    const nobodies: Actor[] = [OUTSIDER, serviceThatMay('agent:cancel'), { kind: 'anonymous' }];
    for (const nobody of nobodies) expect(await f.runtime.timeline(nobody, id)).toEqual([]);
    f.setOperator(5, { isEnabled: false });
    expect(await f.runtime.timeline(COLLEAGUE, id)).toEqual([]);
    f.setOperator(5, { isEnabled: true });
    await f.approve(id, COLLEAGUE);
    expect(await f.runtime.timeline(COLLEAGUE, id)).toEqual([]);
    expect(await f.runtime.timeline(OWNER, id)).toHaveLength(told.length + 1);
  });

  it('R-182, H-184 and H-196 says the same in lists, where an approval that came back counts for nothing', async () => {
    const [f, id] = await eventful('metadata');
    const waiting = await f.runtime.inbox(OWNER);
    expect(waiting.map(({ attribution }) => attribution)).toEqual(['']);
    await f.runtime.cancel(OWNER, id);
    expect(await f.runtime.recent(OWNER)).toMatchObject([{ id, attribution: 'secondPerson' }]);
    expect((await f.runtime.overview(OWNER, 10)).recent).toMatchObject([{ id, attribution: 'secondPerson' }]);
  });

  it('R-182 leaves the marks out, not the list, when the approvals cannot be read, and says so in the log', async () => {
    const [f, id] = await eventful('metadata');
    await f.runtime.cancel(OWNER, id);
    const store = { ...f.store, approvalTraces: () => Promise.reject(new Error('disk I/O error')) };
    const broken = new Runtime({ ...f.ports, store, newRunId: () => '' });
    expect(await broken.recent(OWNER)).toMatchObject([{ id, attribution: '' }]);
    expect(f.reports).toMatchObject([{ where: 'attribution' }]);
  });

  it('says of the payload of an approval that was damaged nothing, and of the others what they say', async () => {
    const [f, id] = await eventful('metadata');
    f.database.exec('begin; drop trigger run_events_no_update');
    f.database.prepare(`update run_events set payload = '{' where kind = 'approval'`).run();
    expect(await f.store.approvalTraces([id])).toEqual(
      new Map([
        [
          id,
          [
            { kind: 'approval', payload: null },
            { kind: 'approval', payload: null },
            expect.objectContaining({ kind: 'approval_bounced' }),
            { kind: 'approval', payload: null },
          ],
        ],
      ]),
    );
    f.database.exec('rollback');
    expect(await f.store.approvalTraces([])).toEqual(new Map());
  });

  it('X-19 says in lists and on the card when a run expires', async () => {
    const [f, id] = await eventful('metadata');
    expect(await f.runtime.inbox(OWNER)).toMatchObject([{ id, expiresAtMs: 0 }]);
    f.configure({ decisionLimitMs: 3_600_000 });
    const expiresAtMs = (await f.row(id)).waitingSinceMs + 3_600_000;
    expect(await f.runtime.inbox(OWNER)).toMatchObject([{ id, expiresAtMs }]);
    expect(await f.runtime.pendingDecision(OWNER, id)).toMatchObject({ expiresAtMs });
  });
});

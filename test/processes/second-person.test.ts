import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAs, openPeople } from '../../src-main/compose-people.ts';
import type { Console } from '../../src-main/compose.ts';
import type { ToolCatalogue } from '../../src-main/domain/tool.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { cli } from '../support/cli.ts';
import { eventually, openWorld, proposeOnce, RENAME, type World } from '../support/world.ts';

const OF_BEN = 'correct horse battery';
const LIMIT_MS = 180_000;

interface Card {
  turnDigest: string;
  previewRevision: number;
}

describe('a second person at the command line', () => {
  let folder: string;
  let database: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-second-'));
    database = join(folder, 'countersign.db');
    expect((await anna('sample', join(folder, 'site'))).code).toBe(0);
  }, LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Told {
    code: number | null;
    value: Record<string, unknown>;
  }
  async function tell(environment: NodeJS.ProcessEnv, words: string[]): Promise<Told> {
    const { code, stdout, stderr, json } = await cli([...words, '--db', database, '--json'], environment);
    for (const text of [stdout, stderr]) expect(text).not.toContain(OF_BEN);
    return { code, value: json() as Record<string, unknown> };
  }
  /** Whose operating-system account it is. */
  const anna = (...words: string[]) => tell({}, words);
  const as = (name: string, passphrase: string, ...words: string[]) =>
    tell({ COUNTERSIGN_OPERATOR_PASSPHRASE: passphrase }, [...words, '--as', name]);
  const ben = (...words: string[]) => as('Ben', OF_BEN, ...words);
  const addBen = () =>
    tell({ COUNTERSIGN_OPERATOR_PASSPHRASE: OF_BEN }, ['operator', 'add', 'Ben', '--grant', 'agent_approve']);
  const refusal = (kind: string) => ({ code: 1, value: { refusal: { kind } } });
  const binding = ({ turnDigest, previewRevision }: Card): string[] => [
    '--digest',
    turnDigest,
    '--revision',
    String(previewRevision),
  ];
  async function waitingRun(page: number): Promise<{ runId: string; card: Card }> {
    const started = await anna('run', `Check the meta description of page ${page}`, '--configuration', 'sample');
    expect(started).toMatchObject({ code: 0, value: { status: 'waiting_for_approval' } });
    return started.value as unknown as { runId: string; card: Card };
  }
  function description(): unknown {
    const site = openSqlite(join(folder, 'site', 'site.db'), { readonly: true });
    try {
      return site.prepare('select meta_description from pages where id = 42').pluck().get();
    } finally {
      site.close();
    }
  }

  it(
    'H-128 H-129 H-132 H-140 H-141 H-142 H-143 H-144 H-149 releases what the first started, and nobody else does',
    async () => {
      const require = ['configuration', 'sample', '--set', 'requireSecondApprover=true'];
      // H-149: nobody but Anna could approve yet, and without a terminal nobody can be asked whether that is meant.
      expect(await anna(...require)).toMatchObject({ code: 2, value: { error: 'usage' } });
      expect(await anna('configuration', 'sample')).toMatchObject({
        value: { settings: { requireSecondApprover: false } },
      });
      expect(await anna(...require, '--yes')).toMatchObject({ code: 0, value: { warnings: ['no_second_approver'] } });
      expect(await addBen()).toMatchObject({ code: 0, value: { id: 2, isAdmin: false, grants: ['agent_approve'] } });
      await anna('configuration', 'sample', '--set', 'requireSecondApprover=false');
      expect(await anna(...require)).toMatchObject({ value: { changed: ['requireSecondApprover'], warnings: [] } });

      const { runId, card } = await waitingRun(42);
      const before = description();
      // H-140 and H-141: the initiator is an administrator, which is no exemption; a wrong digest changes nothing of it.
      expect(await anna('approve', runId, ...binding(card))).toMatchObject(refusal('second_approver_required'));
      expect(await as('Ben', 'not the passphrase', 'approve', runId, ...binding(card))).toMatchObject(
        refusal('proof_refused'),
      );
      expect(await as('Nobody', OF_BEN, 'approve', runId, ...binding(card))).toMatchObject(refusal('proof_refused'));
      expect((await anna('events', runId)).value).not.toContainEqual(expect.objectContaining({ kind: 'approval' }));

      // H-128 and H-143: no administrator, but the write is one Ben may run; the card is Ben's to see.
      expect(await ben('show', runId)).toMatchObject({ value: { card: { turnDigest: card.turnDigest } } });
      expect(await ben('approve', runId, ...binding(card))).toMatchObject({ code: 0, value: { status: 'queued' } });
      expect(description()).toBe(before);

      // H-129: it is carried out as Anna: that Ben is gone by then changes nothing.
      expect((await anna('operator', 'set', 'Ben', '--enabled', 'no')).code).toBe(0);
      expect((await anna('worker', '--until-idle')).code).toBe(0);
      expect(await anna('show', runId)).toMatchObject({ value: { status: 'completed' } });
      expect(description()).not.toBe(before);
      expect((await anna('events', runId)).value).toContainEqual(
        expect.objectContaining({
          kind: 'approval',
          attribution: 'secondPerson',
          details: expect.objectContaining({ approved: true, decidedBy: 2 }) as unknown,
        }),
      );

      // H-132: the right passphrase of somebody who is switched off proves nothing.
      const next = await waitingRun(7);
      expect(await ben('approve', next.runId, ...binding(next.card))).toMatchObject(refusal('proof_refused'));
      // H-142: the initiator may deny; H-144: and approve once the switch is off.
      expect(await anna('deny', next.runId, ...binding(next.card), '--wait')).toMatchObject({ code: 0 });
      await anna('configuration', 'sample', '--set', 'requireSecondApprover=false');
      const last = await waitingRun(7);
      expect(await anna('approve', last.runId, ...binding(last.card))).toMatchObject({ code: 0 });
      expect((await anna('verify')).code).toBe(0);
    },
    LIMIT_MS,
  );
});

describe('a second person with an open console', () => {
  let world: World;
  let bens: Console;
  let runId: string;
  let card: Card & { withdrawWindowMs: number };
  beforeEach(async () => {
    world = await openWorld(proposeOnce(RENAME));
    const people = openPeople(world.opened);
    const ben = { name: 'Ben', isAdmin: false, grants: ['agent_approve' as const] };
    expect(await people.add(world.opened.actor, ben, OF_BEN)).toMatchObject({ ok: true });
    const opened = await openAs(world.opened, 'ben', async () => OF_BEN);
    if (!opened.ok) throw new Error(opened.refusal.kind);
    bens = opened.value;
    world.pool(1);
    runId = (await world.start()).id;
    const shown = await eventually(() => bens.runtime.pendingDecision(bens.actor, runId), 60_000);
    card = { ...shown, withdrawWindowMs: 0 };
  }, LIMIT_MS);
  afterEach(() => world.dispose());

  const change = (changes: object) =>
    openPeople(world.opened).change(world.opened.actor, {
      name: 'Ben',
      isEnabled: null,
      isAdmin: null,
      grant: [],
      revoke: [],
      ...changes,
    });
  const approve = (runtime = bens.runtime) => runtime.approve(bens.actor, runId, card);

  it(
    'H-132 H-344 H-349 decides by what they may at that moment, not by what they might when they came',
    async () => {
      for (const [taken, given] of [
        [{ isEnabled: false }, { isEnabled: true }],
        [{ revoke: ['agent_approve'] }, { isAdmin: true }],
      ]) {
        expect(await change(taken as object)).toMatchObject({ ok: true });
        expect(await approve()).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
        expect(await change(given as object)).toMatchObject({ ok: true });
      }
      // H-344: an administrator without any grant holds all of them.
      expect(await approve()).toMatchObject({ ok: true });
    },
    LIMIT_MS,
  );

  it(
    'H-126 H-137 may not release a write of administrators, learns why, and leaves it to an administrator',
    async () => {
      const { catalogue, installation, clock } = world.opened;
      const forAdministrators = catalogue.list().map((tool) => ({ ...tool, requiresAdmin: true }));
      const stricter: ToolCatalogue = {
        get: (name) => forAdministrators.find((tool) => tool.name === name),
        list: () => forAdministrators,
      };
      const refusals: object[] = [];
      const runtime = new Runtime({
        store: installation.store,
        catalogue: stricter,
        clock,
        newRunId: () => 'none',
        onRefusedDecision: (facts) => void refusals.push(facts),
        report: world.opened.report,
        crashPoint: () => undefined,
      });
      expect(await approve(runtime)).toEqual({
        ok: false,
        refusal: { kind: 'approver_not_permitted', toolName: 'update_record', reason: 'requiresAdmin' },
      });
      expect(JSON.stringify(refusals)).not.toContain('"new"');
      expect(await world.kinds(runId)).not.toContain('approval');
      expect((await world.opened.runtime.status(world.opened.actor, runId))?.status).toBe('waiting_for_approval');
      expect(await world.opened.runtime.approve(world.opened.actor, runId, card)).toMatchObject({ ok: true });
    },
    LIMIT_MS,
  );
});

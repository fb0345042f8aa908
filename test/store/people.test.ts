import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src-main/store/connection.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src-main/store/migrate.ts';
import { loadOperator, readProof } from '../../src-main/store/operator-store.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { canonicalJson } from '../../src-main/domain/digest.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { OPERATOR, openStoreFixture, PROOF, type StoreFixture } from '../support/store.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;

let fixture: StoreFixture;
beforeEach(() => {
  fixture = openStoreFixture();
});
afterEach(() => fixture.dispose());

const add = (name: string) =>
  fixture.store.addPerson({ actor: OPERATOR, name, isAdmin: false, grants: ['agent_approve'] }, PROOF, NOW);
const change = (name: string, changes: object, actor = OPERATOR) =>
  fixture.store.changePerson({ actor, name, isEnabled: null, isAdmin: null, grant: [], revoke: [], ...changes }, NOW);
const events = (): { kind: string; payload: Record<string, unknown> }[] =>
  (
    fixture.database.prepare('select kind, payload from installation_events order by sequence').all() as {
      kind: string;
      payload: string;
    }[]
  ).map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as Record<string, unknown> }));
const problems = () => verifyChain(fixture.statements, fixture.sealer).problems;

describe('the people of an installation', () => {
  it('come with their passphrase, change, and leave in the record who did what to whom', async () => {
    expect(await add('Ben')).toMatchObject({ ok: true, value: { id: 2, name: 'Ben', hasAccount: false } });
    expect(await change('ben', { isAdmin: true })).toMatchObject({ ok: true });
    expect(await change('Ben', { isAdmin: true })).toMatchObject({ ok: true, value: { changed: [] } });
    expect(await fixture.store.setProof({ actor: OPERATOR, name: 'Ben' }, PROOF, NOW)).toMatchObject({ ok: true });
    expect(await fixture.store.people()).toMatchObject([
      { id: 1, name: 'tester', isAdmin: true, hasAccount: true, hasPassphrase: false },
      { id: 2, name: 'Ben', isAdmin: true, hasAccount: false, hasPassphrase: true },
    ]);
    const ben = { operatorId: 1, personId: 2, name: 'Ben', isEnabled: true, grants: ['agent_approve'] };
    expect(events()).toEqual([
      { kind: 'person_changed', payload: { ...ben, isAdmin: false, changed: ['added'] } },
      { kind: 'person_changed', payload: { ...ben, isAdmin: true, changed: ['isAdmin'] } },
      { kind: 'person_changed', payload: { ...ben, isAdmin: true, changed: ['passphrase'] } },
    ]);
    expect(problems()).toEqual([]);
  });

  it('H-349 are judged on the row as it is then: who was an administrator changes nobody', async () => {
    await add('Ben');
    await change('Ben', { isAdmin: true });
    await change('Ben', { isEnabled: false });
    const before = events();
    const asBen = { kind: 'operator', operatorId: 2 } as never;
    expect(await change('tester', { isEnabled: false }, asBen)).toMatchObject({
      refusal: { kind: 'operator_unavailable' },
    });
    expect(await fixture.store.setProof({ actor: asBen, name: 'Ben' }, PROOF, NOW)).toMatchObject({
      refusal: { kind: 'operator_unavailable' },
    });
    expect(events()).toEqual(before);
  });

  it('H-055 have no use of the passphrase of another, nor of the one from before, and verify names both', async () => {
    const { database, statements, sealer } = fixture;
    await add('Ben');
    await add('Cleo');
    const sealed = (id: number) =>
      database.prepare('select proof_sealed from operators where id = ?').pluck().get(id) as Buffer;
    const put = (value: Buffer | null) =>
      database.prepare('update operators set proof_sealed = ? where id = 2').run(value);
    const first = sealed(2);
    await fixture.store.setProof({ actor: OPERATOR, name: 'Ben' }, PROOF, NOW);
    const second = sealed(2);
    expect(readProof(statements, sealer, 2)).toEqual(PROOF);
    for (const foreign of [sealed(3), first, null]) {
      put(foreign);
      expect(await fixture.store.beginProof('Ben', NOW)).toMatchObject({ value: { personId: 2, proof: null } });
      expect(problems()).toEqual([{ where: 'operator 2', problem: expect.stringContaining('passphrase') as string }]);
    }
    put(second);
    expect(problems()).toEqual([]);
  });
});

describe('proofs', () => {
  /** What one attempt comes to. */
  async function fail(store: StoreFixture['store'], name: string, nowMs: number): Promise<string> {
    const question = await store.beginProof(name, nowMs);
    if (!question.ok) return question.refusal.kind;
    const answer = { name, personId: question.value.personId, isRight: false, accountId: 1 };
    const settled = await store.settleProof(answer, nowMs);
    return settled.ok && settled.value === null ? 'proof_refused' : 'proved';
  }

  it.each(['Ben', 'nobody'])(
    'of %s are refused five times, then not even asked, in every process and after a restart',
    async (name) => {
      await add('Ben');
      for (let time = 0; time < 5; time += 1) expect(await fail(fixture.store, name, NOW + time)).toBe('proof_refused');
      const other = createSqliteRunStore(openConnection(fixture.path), fixture.sealer, systemClock);
      try {
        expect(await other.beginProof(name.toUpperCase(), NOW + 5 * MINUTE)).toEqual({
          ok: false,
          refusal: { kind: 'too_many_attempts', waitMs: 10 * MINUTE + 4 },
        });
        expect(await fail(other, 'somebody else', NOW + 5 * MINUTE)).toBe('proof_refused');
        expect(await fail(other, name, NOW + 4 + 15 * MINUTE)).toBe('proof_refused');
      } finally {
        other.close();
      }
      const kept = events().filter(({ kind }) => kind === 'proof_refused');
      expect(kept).toHaveLength(7);
      expect(kept[0]?.payload).toEqual({ operatorId: 1, personId: name === 'Ben' ? 2 : 0 });
    },
  );

  it('have five tries together, however many begin at once', async () => {
    await add('Ben');
    const other = createSqliteRunStore(openConnection(fixture.path), fixture.sealer, systemClock);
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, time) => (time % 2 ? other : fixture.store).beginProof('Ben', NOW)),
    );
    other.close();
    expect(begun.filter(({ ok }) => ok)).toHaveLength(5);
  });

  it('that succeed forget the failures, and so does another passphrase', async () => {
    await add('Ben');
    for (let time = 0; time < 4; time += 1) await fail(fixture.store, 'Ben', NOW);
    await fixture.store.beginProof('Ben', NOW);
    const right = { name: 'Ben', personId: 2, isRight: true, accountId: 1 };
    expect(await fixture.store.settleProof(right, NOW)).toMatchObject({ value: { id: 2, name: 'Ben' } });
    for (let time = 0; time < 5; time += 1) expect(await fail(fixture.store, 'Ben', NOW)).toBe('proof_refused');
    expect(await fail(fixture.store, 'Ben', NOW)).toBe('too_many_attempts');
    await fixture.store.setProof({ actor: OPERATOR, name: 'Ben' }, PROOF, NOW);
    expect(await fail(fixture.store, 'Ben', NOW)).toBe('proof_refused');
  });

  it('H-132 of a person who is switched off are refused, however right', async () => {
    await add('Ben');
    await change('Ben', { isEnabled: false });
    await fixture.store.beginProof('Ben', NOW);
    const right = { name: 'Ben', personId: 2, isRight: true, accountId: 1 };
    expect(await fixture.store.settleProof(right, NOW)).toEqual({ ok: true, value: null });
  });

  it('of any number of names leave no more than a thousand rows, none with what was typed', async () => {
    const { database } = fixture;
    await Promise.all(Array.from({ length: 1_000 }, (_, name) => fixture.store.beginProof(`hunter${name}`, NOW)));
    const count = () => database.prepare('select count(*) from failed_proofs').pluck().get();
    expect(count()).toBe(1_000);
    for (const name of ['hunter0', 'one more']) {
      expect(await fixture.store.beginProof(name, NOW)).toMatchObject({ refusal: { kind: 'too_many_attempts' } });
    }
    expect(count()).toBe(1_000);
    expect(JSON.stringify(database.prepare('select * from failed_proofs').all())).not.toContain('hunter');
    expect(await fixture.store.beginProof('one more', NOW + 30 * MINUTE)).toMatchObject({ ok: true });
    expect(count()).toBe(1);
  });
});

it('T-122 migration 60 leaves the people from before as they were signed', () => {
  const { path, sealer } = fixture;
  const before = openSqlite(`${path}.before`);
  for (const { version, sql } of MIGRATIONS.filter((migration) => migration.version < 60)) {
    before.exec(sql);
    before.pragma(`user_version = ${version}`);
  }
  before.pragma(`application_id = ${APPLICATION_ID}`);
  const row = { id: 1, name: 'anna', os_account: 'uid:1', is_admin: 1, is_enabled: 1, grants: '[]' };
  before
    .prepare(
      `insert into operators (id, name, os_account, is_admin, is_enabled, grants, mac, created_at_ms)
       values (:id, :name, :os_account, :is_admin, :is_enabled, :grants, :mac, 1)`,
    )
    .run({ ...row, mac: sealer.mac(`operators/1:${canonicalJson(row)}`) });
  before.close();
  const after = openConnection(`${path}.before`);
  expect(loadOperator(new Statements(after), sealer, 1)).toMatchObject({ name: 'anna', isAdmin: true });
  after.close();
});

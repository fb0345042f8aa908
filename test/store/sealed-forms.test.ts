import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileFingerprint } from '../../src-main/domain/digest.ts';
import type { ChainProblem } from '../../src-main/store/chain-problem.ts';
import {
  place,
  readDecision,
  readPendingTurn,
  readReceipt,
  readRequest,
  readResult,
  readTranscript,
} from '../../src-main/store/sealed-parts.ts';
import { OtherFormError } from '../../src-main/domain/sealed-faults.ts';
import { verifyReceipts } from '../../src-main/store/verify-receipts.ts';
import { createSealer, type Sealer } from '../../src-main/system/seal.ts';
import { aCall } from '../support/run-builders.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

type PartName = 'request' | 'pendingTurn' | 'transcript' | 'decision' | 'receipt' | 'result';
interface Golden {
  part: PartName;
  /** 0 = the form before the first that says its form. */
  form: number | string;
  place: string;
  value: unknown;
  sealed: string;
}

const FILE = join(import.meta.dirname, '../vectors/sealed/forms.json');
const VECTORS = JSON.parse(readFileSync(FILE, 'utf8')) as { key: string; run: string; parts: Golden[] };
const { run: RUN, parts: GOLDEN } = VECTORS;
const golden = createSealer(Buffer.from(VECTORS.key, 'hex'));

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(async () => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
  await lives.enqueue({ id: RUN });
});
afterEach(() => fixture.dispose());

interface Part {
  table: string;
  /** Columns of its row beside run and value. */
  columns: Record<string, string | number>;
  read(sealer: Sealer): unknown;
}

const PARTS: Record<PartName, Part> = {
  request: { table: 'run_requests', columns: {}, read: (sealer) => readRequest(fixture.statements, sealer, RUN) },
  pendingTurn: {
    table: 'pending_turns',
    columns: { revision: 1 },
    read: (sealer) => readPendingTurn(fixture.statements, sealer, { id: RUN, previewRevision: 1 }),
  },
  transcript: {
    table: 'transcript_chunks',
    columns: { number: 1 },
    read: (sealer) => readTranscript(fixture.statements, sealer, RUN),
  },
  decision: {
    table: 'decisions',
    columns: { number: 1, origin: 'person' },
    read: (sealer) => readDecision(fixture.statements, sealer, RUN, 1),
  },
  receipt: {
    table: 'receipts',
    columns: { decision_number: 1 },
    read: (sealer) => readReceipt(fixture.statements, sealer, RUN, 1),
  },
  result: { table: 'results', columns: {}, read: (sealer) => readResult(fixture.statements, sealer, RUN) },
};

function put({ table, columns }: Part, sealed: Buffer): void {
  const row = { run_id: RUN, ...columns, sealed };
  const names = Object.keys(row);
  fixture.database
    .prepare(
      `insert or replace into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`,
    )
    .run(row);
}

const rowOf = ({ table }: Part): unknown =>
  fixture.database.prepare(`select * from ${table} where run_id = ?`).get(RUN);

/** The same part as a release would write it whose form is one higher. */
const newer = ({ value }: Golden): unknown =>
  typeof value === 'string'
    ? value.replace('receipt/1', 'receipt/2')
    : { ...(value as { v: number }), v: (value as { v: number }).v + 1 };

describe('a sealed part of an earlier release', () => {
  it('T-27 is kept here of every part and every form that can be read', () => {
    expect(new Set(GOLDEN.map(({ part }) => part))).toEqual(new Set(Object.keys(PARTS)));
    expect(GOLDEN.filter(({ form }) => form === 0).map(({ part }) => part)).toEqual(['transcript']);
  });

  it.each(GOLDEN.map((entry) => [entry.part, entry.form, entry] as const))(
    'T-27 still opens to what was sealed: %s of form %s',
    (name, form, { value, sealed }) => {
      put(PARTS[name], Buffer.from(sealed, 'hex'));
      const messages = form === 0 ? value : (value as { messages?: unknown }).messages;
      expect(PARTS[name].read(golden)).toEqual(name === 'transcript' ? messages : value);
    },
  );
});

describe('a sealed part of a newer release', () => {
  it.each(GOLDEN.filter(({ form }) => form !== 0).map((entry) => [entry.part, entry] as const))(
    'T-27 is refused by its form and stays byte for byte: %s',
    (name, entry) => {
      const part = PARTS[name];
      put(part, golden.seal(entry.place, newer(entry)));
      const before = rowOf(part);
      expect(() => part.read(golden)).toThrow(OtherFormError);
      expect(() => part.read(golden)).toThrow(`this release reads form ${JSON.stringify(entry.form)}.`);
      expect(rowOf(part)).toEqual(before);
    },
  );

  it('is no damage to the record: a receipt is compared with its fingerprint whatever its form', () => {
    const [receipt] = GOLDEN.filter(({ part }) => part === 'receipt').map(newer) as [string];
    put(PARTS.receipt, fixture.sealer.seal(place.receipt(RUN, 1), receipt));
    const attempt = fixture.database.prepare(
      `insert into run_events (run_id, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash)
       values (?, 9, 'attempt', 0, 1, 1, 0, ?, '', '')`,
    );
    attempt.run(RUN, JSON.stringify({ decisionNumber: 1, receipt: fileFingerprint(receipt) }));
    const problems: ChainProblem[] = [];
    expect(verifyReceipts(fixture.statements, fixture.sealer, problems)).toBe(1);
    expect(problems).toEqual([]);
  });
});

describe('what this release seals', () => {
  it('T-27 says its form: the messages of a step, read behind those of an earlier release', async () => {
    const older = [{ role: 'assistant' as const, content: 'before' }];
    put(PARTS.transcript, fixture.sealer.seal(place.transcript(RUN, 1), older));
    const run = await lives.claim();
    const messages = [{ role: 'assistant' as const, content: 'after' }];
    await lives.go(RUN, 'record_step', lives.step(run, { messages }));
    const sealed = fixture.database
      .prepare('select sealed from transcript_chunks where number = 2')
      .pluck()
      .get() as Buffer;
    expect(fixture.sealer.open(place.transcript(RUN, 2), sealed)).toEqual({ v: 1, messages });
    expect(await fixture.store.transcript(RUN)).toEqual([...older, ...messages]);
  });

  it('T-27 says its form: what is known of a write in doubt', async () => {
    const run = await lives.claim();
    const detail = { call: aCall('make_x'), preview: null };
    await lives.go(RUN, 'fail', {
      ...lives.held(run),
      failureClass: 'unknown',
      reason: 'interrupted_resume',
      errorClass: 'UncertainWrite',
      sentence: 'Nobody knows.',
      uncertainWrite: {
        callId: 'call-make_x',
        toolName: 'make_x',
        effect: 'non_idempotent_write',
        target: null,
        cause: 'interrupted',
        detail,
      },
    });
    const sealed = fixture.database.prepare('select sealed from uncertain_writes').pluck().get() as Buffer;
    expect(fixture.sealer.open(place.uncertainWrite(RUN, 'call-make_x'), sealed)).toEqual({ v: 1, ...detail });
  });
});

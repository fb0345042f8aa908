/*
 * Recomputes the audit chain of a database file without a line of the application:
 * what an auditor would write from the description of the format alone. Prints one
 * JSON object; exit code 1 when the chain does not hold. The signature of the chain's end
 * needs the key and is not judged here; those of the heads need the public key.
 *
 *   node recompute-chain.mjs FILE
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import Database from 'better-sqlite3';

const START = '0'.repeat(64);
const database = new Database(process.argv[2], { readonly: true });
const problems = [];

/** SHA-256 of a tag and the row as JSON with sorted keys; the rows are flat, so that is their canonical form. */
const hash = (tag, row) =>
  createHash('sha256')
    .update(tag)
    .update(JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))))
    .digest('hex');

const publicKey = database.prepare('select public_key from signing_key').pluck().get();
const isSigned = (text, signature) =>
  verify(
    null,
    Buffer.from(`countersign signed-head/1: ${text}`),
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
      format: 'jwk',
    }),
    Buffer.from(signature, 'base64url'),
  );

const heads = new Map();
const hashes = new Set();
for (const { hash: stored, ...row } of database.prepare('select * from run_events order by run_id, sequence').all()) {
  const head = heads.get(row.run_id) ?? { sequence: -1, hash: START };
  const name = `event ${row.run_id}/${row.sequence}`;
  if (row.sequence !== head.sequence + 1 || row.previous_hash !== head.hash) problems.push(`${name} does not follow`);
  if (hash('event/1:', row) !== stored) problems.push(`${name} was changed`);
  heads.set(row.run_id, { sequence: row.sequence, hash: stored });
  hashes.add(`${row.run_id}/${row.sequence}/${stored}`);
}

let installation = { sequence: -1, hash: START };
for (const { hash: stored, ...row } of database.prepare('select * from installation_events order by sequence').all()) {
  const name = `event ${row.sequence} of the installation`;
  if (row.sequence !== installation.sequence + 1 || row.previous_hash !== installation.hash)
    problems.push(`${name} does not follow`);
  if (hash('event/1:', { run_id: '', ...row }) !== stored) problems.push(`${name} was changed`);
  installation = { sequence: row.sequence, hash: stored };
  hashes.add(`/${row.sequence}/${stored}`);
}

/** What a purge took away left its mark; only the signature of the chain's end says that the mark is ours. */
const purged = new Set(
  database.prepare(`select run_id from changes where kind = 'purged' and run_id <> ''`).pluck().all(),
);

let last = { seq: 0, hash: START };
for (const { hash: stored, ...row } of database.prepare('select * from changes order by seq').all()) {
  if (row.seq !== last.seq + 1 || row.previous_hash !== last.hash) problems.push(`change ${row.seq} does not follow`);
  if (hash('change/1:', row) !== stored) problems.push(`change ${row.seq} was changed`);
  if (!purged.has(row.run_id) && !hashes.has(`${row.run_id}/${row.last_sequence}/${row.last_hash}`))
    problems.push(`change ${row.seq} names a missing event`);
  last = { seq: row.seq, hash: stored };
}

let signed = { number: 0, hash: START };
for (const { hash: stored, signature, ...row } of database
  .prepare(
    `select number, run_id, last_sequence as sequence, last_hash as event_hash, at_ms, change_seq, changes.hash as change_hash,
       heads.previous_hash, heads.hash, signature from heads join changes on seq = change_seq order by number`,
  )
  .all()) {
  if (row.number !== signed.number + 1 || row.previous_hash !== signed.hash)
    problems.push(`head ${row.number} does not follow`);
  if (hash('head/1:', row) !== stored) problems.push(`head ${row.number} was changed`);
  if (!isSigned(stored, signature)) problems.push(`head ${row.number} is not signed`);
  signed = { number: row.number, hash: stored };
}

for (const run of database.prepare('select id, last_sequence, last_hash from runs').all()) {
  const head = heads.get(run.id);
  if (head?.sequence !== run.last_sequence || head.hash !== run.last_hash)
    problems.push(`run ${run.id} ends elsewhere`);
}
const head = database.prepare('select seq, hash from chain_head').get();
if (head?.seq !== last.seq || head?.hash !== last.hash) problems.push('the head names another end');

process.stdout.write(`${JSON.stringify({ events: hashes.size, changes: last.seq, problems })}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

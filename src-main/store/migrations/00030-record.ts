const appendOnly = (table: string): string => `
  create trigger ${table}_no_update before update on ${table} begin select raise(abort, '${table} is append-only'); end;
  create trigger ${table}_no_delete before delete on ${table} begin select raise(abort, '${table} is append-only'); end;`;

/** Nothing is deleted but what a purge has named in this very transaction. */
const deletedByPurgeOnly = (table: string): string => `
  drop trigger ${table}_no_delete;
  create trigger ${table}_no_delete before delete on ${table}
    when not exists (select 1 from purging where run_id = old.run_id)
    begin select raise(abort, '${table} is append-only'); end;`;

/** Signed heads of the record; what a purge and a restored copy need. */
export const record = `
  -- Public half as hex text, private half sealed. Made with the first signature.
  create table signing_key (
    id integer primary key check (id = 1),
    public_key text not null,
    sealed blob not null
  ) strict;

  -- One per decision and per end of a run; which run, event and time it signs, the change says that it names.
  create table heads (
    number integer primary key check (number > 0),
    change_seq integer not null,
    previous_hash text not null,
    hash text not null,
    signature text not null
  ) strict;
  ${appendOnly('heads')}

  -- Kinds are not listed any more, as those of run_events are not: each new one would rebuild the table.
  create table installation_events_next (
    sequence integer primary key check (sequence >= 0),
    kind text not null,
    at_ms integer not null,
    payload text not null,
    previous_hash text not null,
    hash text not null
  ) strict;
  insert into installation_events_next (sequence, kind, at_ms, payload, previous_hash, hash)
    select sequence, kind, at_ms, payload, previous_hash, hash from installation_events;
  drop table installation_events;
  alter table installation_events_next rename to installation_events;
  ${appendOnly('installation_events')}

  -- Asked of every run that is read: when the file was last noticed to be a copy.
  create index changes_restored on changes (seq) where run_id = '' and kind = 'restored';

  -- Runs that the transaction at hand takes away; empty at every other moment.
  create table purging (run_id text primary key) strict, without rowid;
  ${deletedByPurgeOnly('run_events')}
  ${deletedByPurgeOnly('decisions')}
  -- A purged run is looked for in every table that names it.
  create index uncertain_writes_of_run on uncertain_writes (run_id);
`;

// The lists are written out: a released migration is frozen, so it must not follow the vocabulary of a later release.
const STATUSES = ['queued', 'running', 'waiting_for_approval', 'waiting_for_input', 'completed', 'failed', 'cancelled'];
const WAITING = ['waiting_for_approval', 'waiting_for_input'];
const ENDED = ['completed', 'failed', 'cancelled'];
const EFFECTS = ['', 'read_only', 'idempotent_write', 'non_idempotent_write'];

/** For rows that change often: SQLite fills a table of its own for every `in` it meets, which took half of an update of a run. */
const oneOf = (column: string, values: string[]): string =>
  values.map((value) => `${column} = '${value}'`).join(' or ');

/** Rows of an append-only table are never changed; the triggers make a mistake in our own code an error. */
const appendOnly = (table: string): string => `
  create trigger ${table}_no_update before update on ${table} begin select raise(abort, '${table} is append-only'); end;
  create trigger ${table}_no_delete before delete on ${table} begin select raise(abort, '${table} is append-only'); end;`;

/** The first schema: operators, configurations, runs and their sealed parts, the two chained logs. */
export const initial = `
  create table meta (
    name text primary key,
    value text not null
  ) strict, without rowid;

  create table operators (
    id integer primary key,
    name text not null check (length(name) > 0),
    os_account text unique,
    is_admin integer not null check (is_admin in (0, 1)),
    is_enabled integer not null check (is_enabled in (0, 1)),
    grants text not null,
    mac text not null,
    created_at_ms integer not null
  ) strict;

  create table configurations (
    id text primary key,
    identifier text not null unique check (length(identifier) > 0),
    is_active integer not null check (is_active in (0, 1)),
    settings text not null,
    mac text not null,
    -- Derived from the settings for the claim: which server its model is, and how many runs it serves at once; 0 = any number.
    endpoint text not null,
    endpoint_limit integer not null check (endpoint_limit >= 0),
    api_key_sealed blob,
    created_at_ms integer not null,
    changed_at_ms integer not null
  ) strict, without rowid;

  create table workers (
    id text primary key,
    pid integer not null,
    transport text not null,
    started_at_ms integer not null,
    last_seen_at_ms integer not null
  ) strict, without rowid;

  -- Run ids are random. What is kept for good is stored by rowid, in the order in which it came, so that the runs of one
  -- commit share pages; only its small keys lie by id. What only a living run needs stays little and lies by id itself.
  create table runs (
    id text primary key,
    label text not null,
    status text not null check (${oneOf('status', STATUSES)}),
    mode text not null check (mode in ('queued', 'interactive')),
    segment text not null check (${oneOf('segment', ['start', 'retry', 'resume'])}),
    configuration_id text not null,
    configuration_identifier text not null,
    initiator_id integer not null check (initiator_id >= 0),
    actor text not null,
    owner_token text not null,
    worker_id text not null,
    lease_expires_at_ms integer not null,
    attempt integer not null check (attempt >= 0),
    requeue_count integer not null check (requeue_count >= 0),
    runs_alone integer not null check (runs_alone in (0, 1)),
    phase text not null check (${oneOf('phase', ['', 'model', 'tools'])}),
    fence_effect text not null check (${oneOf('fence_effect', EFFECTS)}),
    fence_call_id text not null,
    recover_call_id text not null,
    has_non_idempotent_effect integer not null check (has_non_idempotent_effect in (0, 1)),
    hold text not null check (${oneOf('hold', ['', 'offline', 'configuration_inactive', 'paused'])}),
    next_attempt_at_ms integer not null,
    offline_delay_ms integer not null,
    offline_since_ms integer not null,
    not_before_at_ms integer not null,
    rounds integer not null check (rounds >= 0),
    max_rounds integer not null check (max_rounds between 1 and 20),
    input_tokens integer not null,
    output_tokens integer not null,
    cost_micros integer,
    is_truncated integer not null check (is_truncated in (0, 1)),
    end_reason text not null,
    error_class text not null,
    pending_tool text not null,
    pending_effect text not null check (${oneOf('pending_effect', EFFECTS)}),
    pending_target text not null,
    turn_digest text not null,
    preview_revision integer not null,
    bounce_count integer not null,
    decision_number integer not null,
    last_decision_number integer not null,
    last_sequence integer not null,
    last_hash text not null,
    created_at_ms integer not null,
    queued_at_ms integer not null,
    started_at_ms integer not null,
    waiting_since_ms integer not null,
    finished_at_ms integer not null,
    -- I2: a running row is held, every other row is not. I6: nothing but a running row is fenced.
    check ((status = 'running') = (owner_token <> '')),
    check ((status = 'running') = (lease_expires_at_ms > 0)),
    check (status = 'running' or fence_effect = ''),
    check ((${oneOf('status', ENDED)}) = (finished_at_ms > 0))
  ) strict;
  create index runs_claimable on runs (next_attempt_at_ms, queued_at_ms) where status = 'queued';
  create index runs_waiting on runs (waiting_since_ms, initiator_id) where ${oneOf('status', WAITING)};
  -- Not by lease, which every step renews: the rows are few and sorted when they are read.
  create index runs_running on runs (configuration_id) where status = 'running';
  create index runs_ended on runs (finished_at_ms, initiator_id) where ${oneOf('status', ENDED)};
  create index runs_offline on runs (configuration_id) where status = 'queued' and hold = 'offline';
  create index runs_newest on runs (created_at_ms, status, initiator_id);

  create table run_requests (run_id text primary key references runs (id), sealed blob not null) strict, without rowid;
  create table pending_turns (
    run_id text primary key references runs (id),
    revision integer not null,
    sealed blob not null
  ) strict, without rowid;
  create table transcript_chunks (
    run_id text not null references runs (id),
    number integer not null,
    sealed blob not null,
    primary key (run_id, number)
  ) strict, without rowid;
  create trigger transcript_chunks_no_update before update on transcript_chunks
    begin select raise(abort, 'transcript_chunks is append-only'); end;
  create table decisions (
    run_id text not null references runs (id),
    number integer not null,
    sealed blob not null,
    primary key (run_id, number)
  ) strict;
  create table results (run_id text primary key references runs (id), sealed blob not null) strict;
  ${appendOnly('decisions')}

  create table uncertain_writes (
    id integer primary key,
    run_id text not null references runs (id),
    call_id text not null,
    tool_name text not null,
    effect text not null,
    target text not null,
    cause text not null check (cause in ('interrupted', 'footprint_unknown', 'orphaned')),
    noticed_at_ms integer not null,
    resolved_at_ms integer not null,
    resolution text not null check (resolution in ('', 'recorded_late', 'written', 'not_written')),
    sealed blob not null
  ) strict;
  create index uncertain_writes_open on uncertain_writes (noticed_at_ms) where resolved_at_ms = 0;

  create table run_events (
    run_id text not null references runs (id),
    sequence integer not null check (sequence >= 0),
    kind text not null,
    round integer not null,
    attempt integer not null,
    at_ms integer not null,
    duration_ms real not null,
    payload text not null,
    previous_hash text not null,
    hash text not null,
    primary key (run_id, sequence)
  ) strict;
  ${appendOnly('run_events')}

  -- What happened to the installation as a whole; a change with an empty run_id binds each row to the rest of the record.
  create table installation_events (
    sequence integer primary key check (sequence >= 0),
    kind text not null check (kind in ('paused', 'resumed', 'repaired')),
    at_ms integer not null,
    payload text not null,
    previous_hash text not null,
    hash text not null
  ) strict;
  ${appendOnly('installation_events')}

  create table changes (
    seq integer primary key,
    run_id text not null,
    kind text not null,
    status text not null,
    last_sequence integer not null,
    last_hash text not null,
    at_ms integer not null,
    previous_hash text not null,
    hash text not null
  ) strict;
  create index changes_of_run on changes (run_id, seq);
  ${appendOnly('changes')}

  create table chain_head (
    id integer primary key check (id = 1),
    seq integer not null,
    hash text not null,
    mac text not null
  ) strict;
`;

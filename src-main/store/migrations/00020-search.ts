/**
 * Finding runs again. `run_index` has one row for each run under an integer key of its own: the rowid of `runs` is none,
 * because VACUUM may number it anew, and a search pages by it. The words lie in `run_text`, which keeps no copy of them.
 * Source: docs/decisions/0022.
 */
export const search = `
  create table run_index (
    key integer primary key,
    run_id text not null unique references runs (id) on delete cascade,
    status_group text not null check (status_group in ('active', 'needs_me', 'ended')),
    initiator_id integer not null,
    initiator text not null,
    configuration text not null,
    created_at_ms integer not null,
    -- Lists as JSON, each name once; \`run_names\` has the same by name.
    tools text not null,
    targets text not null,
    about text not null,
    -- Empty unless the privacy of the run's configuration was 'full' when it started.
    prompt text not null
  ) strict;

  -- Whatever a run has several of: the tools it proposed or ran, and the targets it would write.
  create table run_names (
    kind text not null check (kind in ('tool', 'target')),
    name text not null,
    key integer not null,
    primary key (kind, name, key)
  ) strict, without rowid;

  insert into run_index
    (run_id, status_group, initiator_id, initiator, configuration, created_at_ms, tools, targets, about, prompt)
  select id,
    case when status = 'queued' or status = 'running' then 'active' when status like 'waiting%' then 'needs_me' else 'ended' end,
    initiator_id,
    coalesce((select name from operators where operators.id = initiator_id), actor ->> '$.name', ''),
    configuration_identifier,
    created_at_ms,
    (select json_group_array(name) from (
      select distinct name from (
        select payload ->> '$.toolName' as name from run_events where run_id = runs.id and kind in ('tool', 'tool_write')
        union all
        select value from run_events, json_each(payload, '$.requestedToolNames') where run_id = runs.id and kind = 'llm'
        union all
        select value ->> '$.name' from run_events, json_each(payload, '$.requestedToolCalls') where run_id = runs.id and kind = 'llm'
      ) where name <> ''
    )),
    -- Targets of before are found by their words; their one line was never stored, but for a turn that waits.
    case when pending_target = '' then '[]' else json_array(pending_target) end,
    label || char(10) || configuration_identifier || char(10) ||
      coalesce((select name from operators where operators.id = initiator_id), actor ->> '$.name', '') || char(10) ||
      pending_target || char(10) ||
      coalesce((select group_concat(payload ->> '$.target', char(10)) from run_events where run_id = runs.id and kind = 'tool_write'), ''),
    -- The request is sealed; where privacy is full, the event of the first question says the same in plain words.
    coalesce((
      select substr(group_concat(value ->> '$.content', char(10)), 1, 4000)
      from run_events, json_each(payload, '$.messagesSent')
      where run_id = runs.id and kind = 'request' and value ->> '$.role' = 'user'
        and exists (select 1 from configurations where id = runs.configuration_id and settings ->> '$.privacy' = 'full')
    ), '')
  from runs order by created_at_ms, rowid;
  update run_index set about = about || char(10) || (select group_concat(value, char(10)) from json_each(tools))
    where tools <> '[]';
  insert into run_names (kind, name, key)
    select 'tool', value, run_index.key from run_index, json_each(tools)
    union all select 'target', value, run_index.key from run_index, json_each(targets);

  -- An index ends with the key, so each of these is a list of its runs, the newest last.
  create index run_index_group on run_index (status_group);
  create index run_index_owner on run_index (initiator_id);
  create index run_index_initiator on run_index (initiator);
  create index run_index_configuration on run_index (configuration);

  -- 'column' instead of 'full': words are looked for one by one, so where in the text they stand is not kept.
  create virtual table run_text using fts5 (
    about, prompt,
    content = 'run_index', content_rowid = 'key', detail = column, columnsize = 0, prefix = '2 3 4',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M*'"
  );
  insert into run_text (run_text) values ('rebuild');

  create trigger run_index_added after insert on run_index begin
    insert into run_text (rowid, about, prompt) values (new.key, new.about, new.prompt);
  end;
  create trigger run_index_changed after update of about on run_index begin
    insert into run_text (run_text, rowid, about, prompt) values ('delete', old.key, old.about, old.prompt);
    insert into run_text (rowid, about, prompt) values (new.key, new.about, new.prompt);
  end;
  create trigger run_index_removed after delete on run_index begin
    insert into run_text (run_text, rowid, about, prompt) values ('delete', old.key, old.about, old.prompt);
    delete from run_names where kind = 'tool' and key = old.key and name in (select value from json_each(old.tools));
    delete from run_names where kind = 'target' and key = old.key and name in (select value from json_each(old.targets));
  end;

  -- How many runs each person has in each status: counting a million takes longer than everything else on a screen.
  create table run_counts (
    initiator_id integer not null,
    status text not null,
    runs integer not null check (runs >= 0),
    primary key (initiator_id, status)
  ) strict, without rowid;
  insert into run_counts select initiator_id, status, count(*) from runs group by initiator_id, status;
  create trigger runs_counted_in after insert on runs begin
    insert into run_counts values (new.initiator_id, new.status, 1)
      on conflict (initiator_id, status) do update set runs = runs + 1;
  end;
  create trigger runs_counted_over after update of status on runs when old.status <> new.status begin
    update run_counts set runs = runs - 1 where initiator_id = old.initiator_id and status = old.status;
    insert into run_counts values (new.initiator_id, new.status, 1)
      on conflict (initiator_id, status) do update set runs = runs + 1;
  end;
  create trigger runs_counted_out after delete on runs begin
    update run_counts set runs = runs - 1 where initiator_id = old.initiator_id and status = old.status;
  end;
`;

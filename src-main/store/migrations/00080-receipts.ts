/** What was signed about each decision when a worker took it up. */
export const receipts = `
  create table receipts (
    run_id text not null references runs (id),
    decision_number integer not null check (decision_number > 0),
    sealed blob not null,
    primary key (run_id, decision_number)
  ) strict;
  create trigger receipts_no_update before update on receipts
    begin select raise(abort, 'receipts is append-only'); end;
  -- Nothing is deleted but what a purge has named in this very transaction.
  create trigger receipts_no_delete before delete on receipts
    when not exists (select 1 from purging where run_id = old.run_id)
    begin select raise(abort, 'receipts is append-only'); end;
`;

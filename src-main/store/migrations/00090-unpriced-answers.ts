/**
 * How many answers of a run nobody knows the cost of, so that a sum with a gap in it never looks exact. Of runs from before
 * the record says it: an answer whose event names no cost had none.
 */
export const unpricedAnswers = `
  alter table runs add column unpriced_answers integer not null default 0 check (unpriced_answers >= 0);
  update runs set unpriced_answers = (
    select count(*) from run_events
    where run_id = runs.id and kind = 'llm'
      and case when json_valid(payload) then json_extract(payload, '$.costMicros') end is null
  );
`;

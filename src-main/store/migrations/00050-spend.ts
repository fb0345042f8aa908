/** What the runs of a configuration used on a day: budgets look it up before every question, so it is kept as a sum. */
export const spend = `
  create table spend (
    configuration_id text not null,
    -- Whole days since 1970, UTC.
    day integer not null,
    initiator_id integer not null,
    tokens integer not null,
    -- What is known of the cost, in millionths, and how many answers nobody knows the cost of.
    cost_micros integer not null,
    unpriced integer not null,
    primary key (configuration_id, day, initiator_id)
  ) strict, without rowid;
`;

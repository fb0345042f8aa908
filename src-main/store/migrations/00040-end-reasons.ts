/** Dead letters and runs by the reason of their end are counted from an index: `status` is asked every minute, also of a million runs. */
export const endReasons = `create index runs_end_reason on runs (end_reason, created_at_ms) where end_reason <> '';`;

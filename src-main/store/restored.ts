/*
 * Which runs came with a copy of the database and were not released yet. Nothing of a run says so: the log of changes
 * does. Noticing a copy is one row of it, and whatever moved before that row is held. There is no mark on a run that
 * somebody without the key could take off.
 */

/** The change by which the file was last noticed to be a copy; null = never. Of two indexes the planner takes the one with every change of the installation. */
export const RESTORED_AT = `(select max(seq) from changes indexed by changes_restored where run_id = '' and kind = 'restored')`;

/** Whether a row of `runs` is held because it has not moved since. What is asked first is the same for all rows, and mostly the end of it. */
export const IS_RESTORED = `(${RESTORED_AT} is not null and finished_at_ms = 0
  and (select max(seq) from changes where run_id = runs.id) < ${RESTORED_AT})`;

/*
 * What holds a queued run without a word in its row: asked here and now, by the claim, by what is due, and by what is shown.
 */

/** Its configuration is switched off. */
export const IS_SWITCHED_OFF = `exists (select 1 from configurations where configurations.id = runs.configuration_id and is_active = 0)`;

/** It was decided, and the person it would go on for is disabled or gone: the decision waits for them (D-16). */
export const IS_OWNER_AWAY = `(decision_number > 0 and initiator_id > 0
  and not exists (select 1 from operators where operators.id = runs.initiator_id and is_enabled = 1))`;

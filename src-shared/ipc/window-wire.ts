/*
 * The window's wire, beside `Reply`: the channels between the preload script and the
 * transport of the shell. A page never sees them; it has the bridge.
 */

/** A call: name and input, answered with a `Reply`. */
export const CALL_CHANNEL = 'countersign:call';
/** From the page: the whole list of topics it listens to now. A new page starts with an empty one, which forgets the page before. */
export const TOPICS_CHANNEL = 'countersign:topics';
/** To the page: name and payload of one topic. */
export const TOPIC_CHANNEL = 'countersign:topic';

import type { CallName, TopicName } from './contract.ts';

/*
 * The names of the contract without its schemas, for the preload script: it checks
 * names and nothing else, and stays small without TypeBox. The types make each list
 * complete: a name that is missing, or one too many, does not compile.
 */

const calls: Record<CallName, true> = {
  'runs.start': true,
  'runs.detail': true,
  'runs.events': true,
  'runs.pendingDecision': true,
  'runs.approve': true,
  'runs.deny': true,
  'runs.submitInput': true,
  'runs.withdraw': true,
  'runs.cancel': true,
  'runs.retry': true,
  'runs.resolveWrite': true,
  'runs.search': true,
  'inbox.overview': true,
  'configurations.list': true,
  'configurations.connect': true,
  'configurations.testModel': true,
  'configurations.trySample': true,
  'host.session': true,
  'host.health': true,
  'host.setPause': true,
  'host.openWindow': true,
};

const topics: Record<TopicName, true> = {
  'runs.changed': true,
  'configurations.changed': true,
  'host.healthChanged': true,
};

export const CALL_NAMES: ReadonlySet<string> = new Set(Object.keys(calls));
export const TOPIC_NAMES: ReadonlySet<string> = new Set(Object.keys(topics));

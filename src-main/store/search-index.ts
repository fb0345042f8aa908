import type { RunRecord } from '../domain/run.ts';
import type { RunChange } from '../domain/run-change.ts';
import { namesOf, promptOf, searchText, statusGroup, type SearchNames } from '../domain/search-terms.ts';
import type { Statements } from './statements.ts';

/*
 * The write side of search: one row for each run, kept in step inside the transaction that moves the run. The words
 * follow by triggers of the schema (migrations/00020-search.ts), which also forget a run that is deleted.
 */

/** Makes a new run findable. Its prompt is, when the privacy of its configuration is `full` at this moment. */
export function indexRun(statements: Statements, run: RunRecord, change: RunChange): void {
  const { initiator, privacy } = statements
    .get(
      `select (select name from operators where id = :initiator_id) as initiator,
         (select settings ->> '$.privacy' from configurations where id = :configuration_id) as privacy`,
    )
    .get({ initiator_id: run.initiatorId, configuration_id: run.configurationId }) as Record<string, string | null>;
  const name = initiator ?? (run.actor.kind === 'service' ? run.actor.name : '');
  statements
    .get(
      `insert into run_index
         (run_id, status_group, initiator_id, initiator, configuration, created_at_ms, tools, targets, about, prompt)
       values (:run_id, :status_group, :initiator_id, :initiator, :configuration, :created_at_ms, '[]', '[]', :about, :prompt)`,
    )
    .run({
      run_id: run.id,
      status_group: statusGroup(run.status),
      initiator_id: run.initiatorId,
      initiator: name,
      configuration: run.configurationIdentifier,
      created_at_ms: run.createdAtMs,
      about: searchText(run.label, run.configurationIdentifier, name),
      prompt: privacy === 'full' ? promptOf(change.request) : '',
    });
}

/** Follows a run to another group, and adds what it can be found by from now on. Most changes do neither and cost nothing. */
export function indexChange(statements: Statements, before: RunRecord, after: RunRecord, change: RunChange): void {
  const group = statusGroup(after.status);
  if (group !== statusGroup(before.status)) {
    statements.get('update run_index set status_group = ? where run_id = ?').run(group, after.id);
  }
  const names = namesOf(change);
  if (names.tools.length + names.targets.length > 0) addNames(statements, after.id, names);
}

/** A run that goes through thousands of names is found by its first ones. */
const MAX_NAMES = 100;

function addNames(statements: Statements, runId: string, names: SearchNames): void {
  const row = statements.get('select key, tools, targets from run_index where run_id = ?').get(runId) as
    { key: number; tools: string; targets: string } | undefined;
  if (!row) return;
  const known = { tools: JSON.parse(row.tools) as string[], targets: JSON.parse(row.targets) as string[] };
  const tools = fresh(known.tools, names.tools);
  const targets = fresh(known.targets, names.targets);
  if (tools.length + targets.length === 0) return;
  statements
    .get(
      `update run_index set tools = :tools, targets = :targets, about = about || char(10) || :added where key = :key`,
    )
    .run({
      key: row.key,
      tools: JSON.stringify([...known.tools, ...tools]),
      targets: JSON.stringify([...known.targets, ...targets]),
      added: searchText(...tools, ...targets),
    });
  const insert = statements.get('insert into run_names (kind, name, key) values (?, ?, ?)');
  for (const tool of tools) insert.run('tool', tool, row.key);
  for (const target of targets) insert.run('target', target, row.key);
}

const fresh = (known: string[], names: string[]): string[] =>
  names.filter((name) => !known.includes(name)).slice(0, Math.max(0, MAX_NAMES - known.length));

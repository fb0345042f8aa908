import { describe, expect, it } from 'vitest';
import { needsApproval } from '../../src-main/domain/approval-rule.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';

/** What each tool of the product does to the world. A tool that is missing here, or declares something else, fails. */
const EFFECTS = {
  describe_records: 'read_only',
  query_records: 'read_only',
  get_record: 'read_only',
  update_record: 'idempotent_write',
  create_record: 'non_idempotent_write',
  delete_record: 'idempotent_write',
  list_files: 'read_only',
  read_file: 'read_only',
  search_files: 'read_only',
  write_file: 'idempotent_write',
  edit_file: 'idempotent_write',
  move_file: 'idempotent_write',
  delete_file: 'idempotent_write',
  ask_choice: 'read_only',
  ask_form: 'read_only',
};

describe('the tools as they are shipped', () => {
  const registry = buildRegistry(BUILTIN_TOOLS);

  it('R-165 declare their effect: none passes for a read because nobody said so', () => {
    const declared = registry.list().map(({ name, effect }) => [name, effect]);
    expect(Object.fromEntries(declared)).toEqual(EFFECTS);
  });

  it('R-165 and H-003 wait for a person for each write, and have a preview to show', () => {
    for (const tool of BUILTIN_TOOLS) {
      const isWrite = tool.definition.effect !== 'read_only';
      expect(needsApproval(registry.get(tool.definition.name)), tool.definition.name).toBe(isWrite);
      expect(tool.plan !== undefined, tool.definition.name).toBe(isWrite);
    }
  });
});

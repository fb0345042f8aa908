import { describe, expect, it } from 'vitest';
import { needsApproval } from '../../src-main/domain/approval-rule.ts';
import { pendingColumns, previewDigest, turnDigest } from '../../src-main/domain/turn-rules.ts';
import { NotPlainJsonError } from '../../src-main/domain/plain-json.ts';
import type { ToolCall } from '../../src-main/domain/tool.ts';
import { aCall, aFailedPreview, aPreview, aTurn, EFFECTS, tool, TOOLS } from '../support/run-builders.ts';

const effectOf = (name: string) => EFFECTS[name] ?? 'non_idempotent_write';
const calls: ToolCall[] = [
  { id: 'c1', name: 'set_x', arguments: { page: 42, title: 'New', options: {} } },
  { id: 'c2', name: 'read_x', arguments: {} },
];
const [first, second] = calls as [ToolCall, ToolCall];

describe('the approval rule', () => {
  it.each([
    ['H-001', 'an unknown tool', undefined, false],
    ['H-002', 'a read with the marker', TOOLS.mark, true],
    ['H-003', 'an idempotent write', TOOLS.set, true],
    ['H-003', 'a non-idempotent write', TOOLS.make, true],
    ['H-004', 'a plain read', TOOLS.read, false],
  ])('%s answers for %s', (_id, _name, definition, needed) => {
    expect(needsApproval(definition)).toBe(needed);
  });
});

describe('the turn digest', () => {
  it('H-084 is the digest of the stored shape of the calls', () => {
    expect(turnDigest([aCall('set_x')])).toMatch(/^[0-9a-f]{64}$/);
    expect(turnDigest(calls)).toBe(turnDigest(structuredClone(calls)));
  });

  it('H-085 covers the calls only: previews, round and stale marks do not enter', () => {
    const turn = aTurn(calls);
    const bounced = aTurn(calls, { round: 3, staleCallIds: ['c1'], previews: [aPreview(first, 'other')] });
    expect(pendingColumns(turn, effectOf).turnDigest).toBe(pendingColumns(bounced, effectOf).turnDigest);
    expect(previewDigest(turn)).not.toBe(previewDigest(bounced));
  });

  const CHANGED: [name: string, calls: ToolCall[]][] = [
    ['another tool name', [{ ...first, name: 'make_x' }, second]],
    ['another call id', [{ ...first, id: 'c9' }, second]],
    ['another argument value', [{ ...first, arguments: { ...first.arguments, page: 43 } }, second]],
    ['an argument as text', [{ ...first, arguments: { ...first.arguments, page: '42' } }, second]],
    ['an argument more', [{ ...first, arguments: { ...first.arguments, extra: null } }, second]],
    ['[] for {}', [{ ...first, arguments: { ...first.arguments, options: [] } }, second]],
    ['another order', [second, first]],
    ['a call less', [first]],
    ['a call twice', [first, second, second]],
    ['no call', []],
  ];
  it.each(CHANGED)('H-086 differs with %s', (_name, changed) => {
    expect(turnDigest(changed)).not.toBe(turnDigest(calls));
  });

  it('H-090 does not depend on the order of keys', () => {
    const reordered = [{ arguments: { title: 'New', options: {}, page: 42 }, name: 'set_x', id: 'c1' }, second];
    expect(turnDigest(reordered)).toBe(turnDigest(calls));
  });

  it('H-087 does not exist for arguments that JSON cannot carry', () => {
    const call = { ...first, arguments: { ratio: Number.NaN } };
    expect(() => turnDigest([call])).toThrow(NotPlainJsonError);
  });
});

describe('the columns of a pending turn', () => {
  it('H-121 count a tool that no longer exists as the strictest effect', () => {
    const turn = aTurn([aCall('read_x'), aCall('gone_x')]);
    expect(pendingColumns(turn, effectOf)).toMatchObject({
      pendingTool: 'gone_x',
      pendingEffect: 'non_idempotent_write',
    });
  });

  it.each([
    ['the first write, not the first call', [aCall('read_x'), aCall('set_x'), aCall('make_x')], 'set_x'],
    ['the first call when nothing writes', [aCall('mark_x'), aCall('read_x')], 'mark_x'],
  ])('name %s', (_name, turnCalls, pendingTool) => {
    const pendingTarget = `site/pages#42 + ${turnCalls.length - 1} more`;
    expect(pendingColumns(aTurn(turnCalls), effectOf)).toMatchObject({ pendingTool, pendingTarget });
  });

  it.each([
    ['read_only', [aCall('mark_x')]],
    ['idempotent_write', [aCall('read_x'), aCall('set_x')]],
    ['non_idempotent_write', [aCall('set_x'), aCall('make_x'), aCall('read_x')]],
  ])('carry the strictest effect: %s', (pendingEffect, turnCalls) => {
    expect(pendingColumns(aTurn(turnCalls), effectOf)).toMatchObject({ pendingEffect });
  });

  it('leave the target empty when the preview failed', () => {
    const call = aCall('set_x');
    expect(pendingColumns(aTurn([call], { previews: [aFailedPreview(call)] }), effectOf).pendingTarget).toBe('');
  });
});

describe('a tool the approval rule binds', () => {
  it('H-003 stays bound whatever its marker says', () => {
    expect(needsApproval(tool('x', { effect: 'idempotent_write', requiresApproval: false }))).toBe(true);
  });
});

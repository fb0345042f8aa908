import { describe, expect, it } from 'vitest';
import { needsApproval } from '../../src-main/domain/approval-rule.ts';
import { declaredApproval, readApprovalFlag, type ToolOverride } from '../../src-main/domain/remote-approval.ts';
import { TOOLS, tool } from '../support/run-builders.ts';

const remote = (declared: boolean | null, changes = {}) =>
  tool('remote_x', {
    effect: 'non_idempotent_write',
    remote: { server: 'search', needsApproval: declared },
    ...changes,
  });

describe('the approval rule', () => {
  it.each([
    ['H-001', 'nothing of a tool nobody registered', undefined, false],
    ['H-002', 'a read that carries the marker', TOOLS.mark, true],
    ['H-003', 'a write that may be repeated', TOOLS.set, true],
    ['H-003', 'a write that may not', TOOLS.make, true],
    ['H-004', 'no read', TOOLS.read, false],
    ['H-006', 'a remote tool as it was declared', remote(true), true],
    ['H-006', 'a remote tool as it was declared, whatever it says of its effect', remote(false), false],
    ['H-006', 'no remote read that was declared free', remote(false, { effect: 'read_only' }), false],
    ['T-82 and H-006', 'a remote read that was declared bound', remote(true, { effect: 'read_only' }), true],
    ['H-006', 'no remote tool of which nothing was declared', remote(null), false],
    ['H-007', 'a remote tool with the marker, whatever was declared', remote(false, { requiresApproval: true }), true],
  ] as const)('%s binds %s', (_id, _what, definition, expected) => {
    expect(needsApproval(definition)).toBe(expected);
  });
});

describe('what an operator declares of remote tools', () => {
  it.each([
    [null, true],
    [undefined, true],
    ['', true],
    ['no', true],
    ['false', true],
    [2, true],
    [0, true],
    [false, true],
    [' 0', true],
    ['00', true],
    ['1', true],
    ['0', false],
  ])('H-009 takes %j for %j: only the very text 0 is off', (stored, expected) => {
    expect(readApprovalFlag(stored)).toBe(expected);
  });

  const overrides: ToolOverride[] = [
    { server: 'search', remoteName: 'lookup', needsApproval: false },
    { server: 'other', remoteName: 'write', needsApproval: true },
  ];
  it('says of one tool of a server what was declared of it, and of all others the flag of the server', () => {
    const server = { name: 'search', storedFlag: '1' };
    const bound = ['lookup', 'write', 'new'].filter((remoteName) => declaredApproval(server, remoteName, overrides));
    expect(bound).toEqual(['write', 'new']);
    expect(declaredApproval({ name: 'other', storedFlag: '0' }, 'write', overrides)).toBe(true);
    expect(declaredApproval({ name: 'other', storedFlag: '0' }, 'lookup', overrides)).toBe(false);
  });
});

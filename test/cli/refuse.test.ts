import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../src-main/cli/command.ts';
import { refuse } from '../../src-main/cli/run-commands.ts';

describe('a refusal at the terminal', () => {
  it('shows what a model put into a name, and carries out none of it', () => {
    const printed: string[] = [];
    const answer: Invocation['answer'] = (_value, lines) => void printed.push(...lines);
    const refusal = {
      kind: 'approver_not_permitted',
      toolName: '\u001b[2J\u202egnp.exe',
      reason: 'notRegistered',
    } as const;
    expect(refuse({ answer } as Invocation, refusal)).toBe(1);
    expect(printed.join('\n')).toContain('\\u{1b}[2J\\u{202e}gnp.exe');
    // oxlint-disable-next-line no-control-regex -- these are exactly what must not be there
    expect(printed.join('\n')).not.toMatch(/[\u001b\u202e]/);
  });
});

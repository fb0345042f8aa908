import { describe, expect, it } from 'vitest';
import { offeredTools, toolDenial } from '../../src-main/domain/tool-gate-rules.ts';
import { aConfiguration, PEOPLE, tool, TOOL_LIST, TOOLS } from '../support/run-builders.ts';

const everything = aConfiguration();
const recordsOnly = aConfiguration({ toolGroups: ['records'] });
const names = (tools: { name: string }[]) => tools.map((definition) => definition.name);

describe('the tool gate', () => {
  it.each([
    ['notRegistered', undefined, everything, PEOPLE.admin],
    ['toolDisabled', TOOLS.set, aConfiguration({ disabledTools: ['set_x'] }), PEOPLE.admin],
    ['requiresAdmin', TOOLS.admin, everything, PEOPLE.owner],
    ['requiresAdmin', TOOLS.admin, everything, null],
    ['requiresAdmin', TOOLS.admin, everything, PEOPLE.disabled],
    ['configurationGroup', TOOLS.files, recordsOnly, PEOPLE.admin],
    ['configurationGroup', TOOLS.read, aConfiguration({ toolGroups: [] }), PEOPLE.admin],
    [null, TOOLS.set, everything, PEOPLE.owner],
    [null, TOOLS.admin, everything, PEOPLE.admin],
    [null, TOOLS.set, recordsOnly, null],
  ] as const)('R-156 answers %s', (reason, definition, configuration, operator) => {
    expect(toolDenial(definition, configuration, operator)).toBe(reason);
  });

  it('H-027 names the first failing axis only', () => {
    const definition = tool('x', { requiresAdmin: true, group: 'files' });
    const all = aConfiguration({ disabledTools: ['x'], toolGroups: [] });
    expect(toolDenial(undefined, all, null)).toBe('notRegistered');
    expect(toolDenial(definition, all, null)).toBe('toolDisabled');
    expect(toolDenial(definition, aConfiguration({ toolGroups: [] }), null)).toBe('requiresAdmin');
    expect(toolDenial(definition, aConfiguration({ toolGroups: [] }), PEOPLE.admin)).toBe('configurationGroup');
  });

  it('H-027 says nothing of the zone to whom an earlier axis refuses', () => {
    const model = { kind: 'openai_compatible', baseUrl: 'https://api.example.com/v1', modelId: 'm' } as const;
    const far = { model, zoneEnforcement: 'enforce' };
    expect(toolDenial(TOOLS.set, aConfiguration(far), PEOPLE.admin)).toBe('trustZone');
    expect(toolDenial(TOOLS.set, aConfiguration({ ...far, toolGroups: [] }), PEOPLE.admin)).toBe('configurationGroup');
    expect(toolDenial(TOOLS.admin, aConfiguration(far), PEOPLE.owner)).toBe('requiresAdmin');
  });
});

describe('the tools offered to a run', () => {
  it('R-159 are the wish narrowed by what the configuration grants', () => {
    expect(names(offeredTools(TOOL_LIST, ['files_x', 'set_x'], recordsOnly, PEOPLE.owner))).toEqual(['set_x']);
  });

  it('R-128 and H-030 are none for an empty wish and for a wish that is switched off', () => {
    expect(offeredTools(TOOL_LIST, [], everything, PEOPLE.admin)).toEqual([]);
    const off = aConfiguration({ disabledTools: ['set_x'] });
    expect(offeredTools(TOOL_LIST, ['set_x'], off, PEOPLE.admin)).toEqual([]);
  });

  it('R-128 are all that is granted without a wish, in registry order', () => {
    expect(names(offeredTools(TOOL_LIST, null, everything, PEOPLE.owner))).toEqual([
      'read_x',
      'mark_x',
      'set_x',
      'make_x',
      'ask_x',
      'files_x',
    ]);
  });

  it('R-126 never hold a name nobody registered', () => {
    expect(offeredTools(TOOL_LIST, ['gone_x', '__proto__', 'constructor'], everything, PEOPLE.admin)).toEqual([]);
  });
});

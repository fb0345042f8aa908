import { describe, expect, it } from 'vitest';
import { DATA_CLASSES, TRUST_ZONES } from '../../src-shared/vocabulary.ts';
import { gateFindings, toolDenial } from '../../src-main/domain/tool-gate-rules.ts';
import { ceilingOf, dataClassOf, isObserved, isWithinZone, trustZoneOf } from '../../src-main/domain/trust-zone.ts';
import { aConfiguration, PEOPLE, tool } from '../support/run-builders.ts';

const at = (baseUrl: string) => ({ kind: 'openai_compatible', baseUrl, modelId: 'm' }) as const;
const GROUPS = ['questions', 'files', 'records', 'mcp_elsewhere'];

describe('where a model runs', () => {
  it.each([
    ['http://localhost:11434/v1', 'local'],
    ['http://127.8.9.1/v1', 'local'],
    ['http://[::1]:1234/v1', 'local'],
    ['http://10.0.0.7/v1', 'privateHosted'],
    ['http://192.168.1.2/v1', 'privateHosted'],
    ['http://172.31.0.1/v1', 'privateHosted'],
    ['http://[fd00::1]/v1', 'privateHosted'],
    ['http://172.32.0.1/v1', 'externalGlobal'],
    ['https://api.example.com/v1', 'externalGlobal'],
    ['https://127.0.0.1.example.com/v1', 'externalGlobal'],
    ['https://localhost.example.com/v1', 'externalGlobal'],
    ['no address', 'externalGlobal'],
  ] as const)('is seen from its address: %s is %s', (baseUrl, zone) => {
    expect(trustZoneOf({ trustZone: null, model: at(baseUrl) })).toBe(zone);
    expect(trustZoneOf({ trustZone: 'externalEu', model: at(baseUrl) })).toBe('externalEu');
  });

  it.each([
    ['local', [true, true, true, true]],
    ['privateHosted', [true, true, true, false]],
    ['externalEu', [true, true, true, false]],
    ['externalGlobal', [true, false, false, false]],
  ] as const)('R-156 decides what it may be given: %s', (zone, expected) => {
    expect(GROUPS.map((group) => isWithinZone(group, zone))).toEqual(expected);
  });

  it('R-156 a zone nobody knows is as far away, a group nobody declared as sensitive as can be', () => {
    expect(ceilingOf('nowhere' as never)).toBe(ceilingOf('externalGlobal'));
    expect(dataClassOf('__proto__')).toBe(DATA_CLASSES.at(-1));
    expect(TRUST_ZONES.map(ceilingOf).map((found) => DATA_CLASSES.indexOf(found))).toEqual([5, 4, 3, 1]);
  });
});

describe('a tool beyond the zone', () => {
  const far = (zoneEnforcement: string) => aConfiguration({ model: at('https://api.example.com/v1'), zoneEnforcement });
  const files = tool('files_x', { group: 'files' });

  it('R-156 is refused, after every other reason', () => {
    expect(toolDenial(files, far('enforce'), PEOPLE.admin)).toBe('trustZone');
    const off = aConfiguration({ ...far('enforce').settings, disabledTools: ['files_x'] });
    expect(toolDenial(files, off, PEOPLE.admin)).toBe('toolDisabled');
  });

  it.each(['', 'Observed', 'observe!', 'off', 'none'])('R-158 and H-029 %j enforces', (setting) => {
    expect(isObserved(setting)).toBe(false);
    expect(toolDenial(files, far(setting), PEOPLE.admin)).toBe('trustZone');
  });

  it.each(['observe', ' OBSERVE '])('R-158 and H-029 %j offers it and notes it', (setting) => {
    expect(toolDenial(files, far(setting), PEOPLE.admin)).toBeNull();
    expect(gateFindings([files], null, far(setting), PEOPLE.admin)).toEqual({
      findings: [{ tool: 'files_x', reason: 'trustZone', observed: true }],
      zone: 'externalGlobal',
      ceiling: 'editorContent',
    });
  });

  it.each(['observe', 'enforce'])('R-158 and H-029 %j refuses a remote tool all the same', (setting) => {
    const remote = tool('elsewhere_x', {
      group: 'mcp_elsewhere',
      remote: { server: 'elsewhere', needsApproval: true },
    });
    expect(toolDenial(remote, far(setting), PEOPLE.admin)).toBe('trustZone');
    expect(gateFindings([remote], null, far(setting), PEOPLE.admin).findings).toEqual([
      { tool: 'elsewhere_x', reason: 'trustZone' },
    ]);
  });

  it('R-208 is said with its reason; what passes, and what was not asked for, is not', () => {
    const ask = tool('ask_it', { group: 'questions' });
    const found = gateFindings([files, ask], ['files_x', 'ask_it'], far('enforce'), PEOPLE.admin);
    expect(found.findings).toEqual([{ tool: 'files_x', reason: 'trustZone' }]);
    expect(gateFindings([files, ask], ['ask_it'], far('enforce'), PEOPLE.admin).findings).toEqual([]);
  });

  it('R-159 a name the configuration does not grant is refused like a group', () => {
    const named = aConfiguration({ toolNames: ['other_x'] });
    expect(toolDenial(files, named, PEOPLE.admin)).toBe('configurationGroup');
    expect(toolDenial(files, aConfiguration({ toolNames: ['files_x'], toolGroups: ['records'] }), PEOPLE.admin)).toBe(
      'configurationGroup',
    );
  });
});

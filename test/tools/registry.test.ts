import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src-main/domain/tool.ts';
import { provePlainJson } from '../../src-main/domain/plain-json.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { buildRegistry, withProvided } from '../../src-main/tools/registry.ts';

const [first] = BUILTIN_TOOLS;
const named = (name: string): Tool => ({ ...(first as Tool), definition: { ...(first as Tool).definition, name } });

describe('buildRegistry', () => {
  it('R-162 throws at start when two tools have one name', () => {
    expect(() => buildRegistry([named('a'), named('b'), named('a')])).toThrow('Two tools are called "a"');
  });

  it.each(['', 'A', '1a', 'a-b', 'a.b', 'ä', `a${'x'.repeat(64)}`])('throws at start for the name %j', (name) => {
    expect(() => buildRegistry([named(name)])).toThrow('does not match');
  });

  it('throws at start for a write nobody could preview', () => {
    const tool = { ...named('a'), definition: { ...named('a').definition, effect: 'idempotent_write' as const } };
    expect(() => buildRegistry([tool])).toThrow('writes but has no preview');
  });

  it('R-163, H-013, H-014 and H-015 throws at start for a tool that needs an approval and an answer, or that has no question', () => {
    const asking = BUILTIN_TOOLS.find(({ definition }) => definition.requiresInput) as Tool;
    const changed = (changes: Partial<Tool['definition']>): Tool => ({
      ...asking,
      plan: () => ({ preview: { kind: 'failed', reason: '' }, target: null, footprint: null }),
      definition: { ...asking.definition, ...changes },
    });
    expect(() => buildRegistry([changed({})])).not.toThrow();
    const both = `The tool "${asking.definition.name}" needs an approval and input`;
    expect(() => buildRegistry([changed({ requiresApproval: true })])).toThrow(both);
    expect(() => buildRegistry([changed({ effect: 'idempotent_write' })])).toThrow(both);
    expect(() => buildRegistry([changed({ requiresInput: false })])).toThrow('needs a question');
    const { ask: _, ...silent } = asking;
    expect(() => buildRegistry([silent])).toThrow('needs a question');
  });

  it('H-018 knows every tool that can pause a run for input', () => {
    const asking = BUILTIN_TOOLS.filter(({ definition }) => definition.requiresInput);
    expect(asking.map(({ definition }) => definition.name)).toEqual(['ask_choice', 'ask_form']);
  });

  it('finds own names only and keeps the order', () => {
    const registry = buildRegistry(BUILTIN_TOOLS);
    for (const name of ['constructor', '__proto__', 'toString', 'missing']) expect(registry.get(name)).toBeUndefined();
    expect(registry.list().map((tool) => tool.name)).toEqual(BUILTIN_TOOLS.map((tool) => tool.definition.name));
  });

  it.each(BUILTIN_TOOLS.map((tool) => [tool.definition.name, tool.definition] as const))(
    '%s has a closed schema of described plain JSON',
    (_name, definition) => {
      provePlainJson(definition);
      expect(definition.parameters['additionalProperties']).toBe(false);
      const properties = definition.parameters['properties'] as Record<string, { description?: string }>;
      for (const property of Object.values(properties)) expect(property.description).toMatch(/\S/);
    },
  );
});

describe('tools that somebody else provides', () => {
  const asking = BUILTIN_TOOLS.find(({ definition }) => definition.requiresInput) as Tool;
  const remote = (name: string, changes: Partial<Tool['definition']> = {}): Tool => ({
    ...asking,
    definition: {
      ...asking.definition,
      name,
      effect: 'non_idempotent_write',
      remote: { server: 'search', needsApproval: null },
      ...changes,
    },
  });
  const merged = (...provided: Tool[]) => {
    const dropped: string[] = [];
    const registry = withProvided(buildRegistry([named('ours')]), provided, (problem) => dropped.push(problem));
    return { names: registry.list().map(({ name }) => name), dropped };
  };

  it('H-016 may ask for input and write, as long as nobody declared that they need an approval', () => {
    expect(merged(remote('theirs'))).toEqual({ names: ['ours', 'theirs'], dropped: [] });
    const off = remote('theirs', { remote: { server: 'search', needsApproval: false } });
    expect(merged(off).names).toEqual(['ours', 'theirs']);
  });

  it('H-017 are left out, and told of, when an approval would have to carry their input', () => {
    const declared = remote('theirs', { remote: { server: 'search', needsApproval: true } });
    const { names, dropped } = merged(declared, remote('others'));
    expect(names).toEqual(['ours', 'others']);
    expect(dropped).toEqual(['The tool "theirs" needs an approval and input; an approval carries no input']);
  });

  it('never take the place of one of ours, nor of each other', () => {
    const { names, dropped } = merged(remote('ours'), remote('theirs'), remote('theirs'), remote('Bad name'));
    expect(names).toEqual(['ours', 'theirs']);
    expect(dropped).toHaveLength(3);
  });
});

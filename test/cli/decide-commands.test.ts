import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../src-main/cli/command.ts';
import { approve, deny } from '../../src-main/cli/decide-commands.ts';
import { call } from '../support/fake-model.ts';
import type { RuntimeFixture } from '../support/runtime.ts';
import { atTerminal } from '../support/terminal.ts';
import { useRuntime } from '../support/use-runtime.ts';

const MAKE = call('make_x', { name: 'page' });

describe('deciding at a terminal', () => {
  const open = useRuntime();

  async function waiting(f: RuntimeFixture): Promise<string> {
    const { id } = await f.start();
    expect(await f.segment()).toBe('awaiting_approval');
    return id;
  }

  it('H-161 names tool and target of a write before it asks once, and the word yes approves', async () => {
    const f = open([{ calls: [MAKE] }, { text: 'done' }]);
    const id = await waiting(f);
    const printed: string[] = [];
    expect(await approve.run(atTerminal(f, id, ['yes'], printed))).toBe(0);
    const asked = printed.findIndex((line) => line.includes('Approve exactly this?'));
    expect(printed.slice(0, asked).join('\n')).toMatch(/make_x[^]*Target[^]*pages/);
    expect(printed.filter((line) => line.endsWith('Type yes: '))).toHaveLength(1);
    expect(await f.segment()).toBe('completed');
    expect(f.world.made).toEqual(['page']);
  });

  it.each<[string, string[], Partial<Invocation>]>([
    ['who leaves', [], {}],
    ['who only presses Enter', [''], {}],
    ['who says no', ['no'], {}],
    ['who types something else', ['y'], {}],
    ['who is not there', [], { canAsk: false }],
    ['who names another card', [], { canAsk: false, options: { digest: 'f'.repeat(64), revision: '1' } }],
  ])('T-54 decides nothing for somebody %s', async (_who, words, changes) => {
    const f = open([{ calls: [MAKE] }]);
    const id = await waiting(f);
    const before = [await f.row(id), await f.events(id)];
    for (const command of [approve, deny]) {
      expect(await command.run({ ...atTerminal(f, id, [...words]), ...changes })).toBe(1);
    }
    expect([await f.row(id), await f.events(id)]).toEqual(before);
    await expect(f.segment()).rejects.toThrow('No run is due');
    expect(f.world.executed).toEqual([]);
  });

  it('T-54 executes nothing for a denial, whatever the model asked for', async () => {
    const f = open([{ calls: [MAKE] }, { text: 'understood' }]);
    const id = await waiting(f);
    expect(await deny.run(atTerminal(f, id, ['yes']))).toBe(0);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
  });
});

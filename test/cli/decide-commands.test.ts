import { describe, expect, it } from 'vitest';
import type { Command, Invocation } from '../../src-main/cli/command.ts';
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

  const otherCard = { canAsk: false, options: { digest: 'f'.repeat(64), revision: '1' } };
  it.each<[string, Command[], string[], Partial<Invocation>]>([
    ['who leaves', [approve], [], {}],
    ['who only presses Enter', [approve], [''], {}],
    ['who says no', [approve], ['no'], {}],
    ['who types something else', [approve], ['y'], {}],
    ['who is not there', [approve, deny], [], { canAsk: false }],
    ['who names another card', [approve, deny], [], otherCard],
  ])('T-54 decides nothing for somebody %s', async (_who, commands, words, changes) => {
    const f = open([{ calls: [MAKE] }]);
    const id = await waiting(f);
    const before = [await f.row(id), await f.events(id)];
    for (const command of commands) {
      expect(await command.run({ ...atTerminal(f, id, [...words]), ...changes })).toBe(1);
    }
    expect([await f.row(id), await f.events(id)]).toEqual(before);
    await expect(f.segment()).rejects.toThrow('No run is due');
    expect(f.world.executed).toEqual([]);
  });

  it('T-54 and H-161 shows the card and denies it without asking; nothing of it is executed', async () => {
    const f = open([{ calls: [MAKE] }, { text: 'understood' }]);
    const id = await waiting(f);
    const printed: string[] = [];
    expect(await deny.run(atTerminal(f, id, [], printed))).toBe(0);
    expect(printed.join('\n')).toContain('make_x');
    expect(printed.join('\n')).not.toContain('Type yes');
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
  });
});

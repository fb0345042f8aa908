import { describe, expect, it } from 'vitest';
import { answer } from '../../src-main/cli/answer-command.ts';
import { call } from '../support/fake-model.ts';
import { atTerminal } from '../support/terminal.ts';
import { useRuntime } from '../support/use-runtime.ts';

describe('answering at a terminal', () => {
  const open = useRuntime();

  it.each(['ask_x', '__proto__', 'constructor'])('LIM-22 answers a call whatever its id is (%s)', async (callId) => {
    const f = open([{ calls: [call('ask_x', {}, callId)] }]);
    const { id } = await f.start();
    await f.segment();
    await answer.run(atTerminal(f, id, ['Ulm', 'no']));
    expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1 });
  });

  it('T-104 answers nothing for a person who leaves half-way, and tells the model only what was given', async () => {
    const f = open([{ calls: [call('ask_x', {})] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const printed: string[] = [];
    expect(await answer.run(atTerminal(f, id, ['Ulm'], printed))).toBe(1);
    expect(printed.at(-1)).toBe('Nothing was answered.');
    expect(await f.row(id)).toMatchObject({ status: 'waiting_for_input', decisionNumber: 0 });
    expect(await f.kinds(id)).not.toContain('input');

    expect(await answer.run(atTerminal(f, id, ['Ulm', '']))).toBe(0);
    expect(await f.segment()).toBe('completed');
    expect(f.model.requests[1]?.messages.at(-1)?.content).toBe('the person says {"town":"Ulm"}');
  });

  it('T-107 puts nothing in the place of a needed answer that was left blank: the run still waits', async () => {
    const f = open([{ calls: [call('ask_x', {})] }]);
    const { id } = await f.start();
    await f.segment();
    await answer.run(atTerminal(f, id, ['', '', '', '']));
    expect(await f.row(id)).toMatchObject({ status: 'waiting_for_input', decisionNumber: 0 });
  });
});

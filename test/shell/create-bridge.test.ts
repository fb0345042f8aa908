import { describe, expect, it } from 'vitest';
import { createBridge } from '../../src-main/shell/preload/create-bridge.ts';
import type { TopicName } from '../../src-shared/ipc/contract.ts';
import { CONTRACT } from '../../src-shared/ipc/contract.ts';
import { CALL_NAMES, TOPIC_NAMES } from '../../src-shared/ipc/entry-names.ts';
import { CALL_CHANNEL, TOPIC_CHANNEL, TOPICS_CHANNEL } from '../../src-shared/ipc/window-wire.ts';

/** The wire to a host that answers every call with its name, and what went over it. */
function openBridge() {
  const sent: unknown[][] = [];
  let hear: (name: string, payload: unknown) => void = () => undefined;
  const bridge = createBridge({
    async invoke(...values) {
      sent.push(values);
      return { ok: true, value: values[1] };
    },
    send: (...values) => void sent.push(values),
    on(channel, listener) {
      if (channel === TOPIC_CHANNEL) hear = (name, payload) => listener({}, name, payload);
    },
  });
  return { bridge, sent, tell: (name: string, payload: unknown) => hear(name, payload) };
}

const topicsIn = (sent: unknown[][]): unknown[] =>
  sent.filter(([channel]) => channel === TOPICS_CHANNEL).map(([, names]) => names);

describe('the bridge of a window', () => {
  it('knows every name of the contract and no other', () => {
    expect([...CALL_NAMES, ...TOPIC_NAMES].toSorted()).toEqual(Object.keys(CONTRACT).toSorted());
  });

  it.each([...CALL_NAMES])('passes %s on with its input', async (name) => {
    const { bridge, sent } = openBridge();
    expect(await bridge.invoke(name, { runId: 'r' })).toEqual({ ok: true, value: name });
    expect(sent).toContainEqual([CALL_CHANNEL, name, { runId: 'r' }]);
  });

  it.each(['runs.changed', 'constructor', '__proto__', 'runs.approve ', '', 7, null, {}])(
    'answers the name %j with a fault that never left the window',
    async (name) => {
      const { bridge, sent } = openBridge();
      const reply = await bridge.invoke(name as string, {});
      expect(reply).toEqual({ ok: false, fault: { code: 'unknown_channel', reference: 'not-sent' } });
      expect(sent.filter(([channel]) => channel === CALL_CHANNEL)).toEqual([]);
    },
  );

  it('begins by saying that this page listens to nothing yet', () => {
    expect(topicsIn(openBridge().sent)).toEqual([[]]);
  });

  it('tells each listener its topic until it unsubscribes, and the host the list that is left', () => {
    const { bridge, sent, tell } = openBridge();
    const heard: unknown[] = [];
    const first = bridge.subscribe('runs.changed', (payload) => heard.push(['first', payload]));
    bridge.subscribe('runs.changed', (payload) => heard.push(['second', payload]));
    bridge.subscribe('configurations.changed', () => heard.push(['other']));
    tell('runs.changed', { runIds: ['a'] });
    bridge.unsubscribe(first);
    bridge.unsubscribe(first);
    tell('runs.changed', { runIds: [] });
    expect(heard).toEqual([
      ['first', { runIds: ['a'] }],
      ['second', { runIds: ['a'] }],
      ['second', { runIds: [] }],
    ]);
    expect(topicsIn(sent)).toEqual([
      [],
      ['runs.changed'],
      ['runs.changed'],
      ['runs.changed', 'configurations.changed'],
      ['runs.changed', 'configurations.changed'],
    ]);
  });

  it('does not tell a listener that subscribed while others were told', () => {
    const { bridge, tell } = openBridge();
    const heard: string[] = [];
    bridge.subscribe('runs.changed', () => {
      heard.push('first');
      bridge.subscribe('runs.changed', () => void heard.push('late'));
    });
    tell('runs.changed', { runIds: [] });
    expect(heard).toEqual(['first']);
  });

  it('refuses to subscribe to what is no topic', () => {
    const { bridge, sent } = openBridge();
    expect(() => bridge.subscribe('runs.approve' as TopicName, () => undefined)).toThrow('There is no such topic.');
    expect(topicsIn(sent)).toEqual([[]]);
  });
});

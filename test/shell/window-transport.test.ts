import { EventEmitter } from 'node:events';
import type { IpcMain } from 'electron';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../src-main/ipc/service.ts';
import { PAGE_ORIGIN } from '../../src-main/shell/page-address.ts';
import { serveWindows } from '../../src-main/shell/window-transport.ts';
import type { TopicName } from '../../src-shared/ipc/contract.ts';
import { CALL_CHANNEL, TOPIC_CHANNEL, TOPICS_CHANNEL } from '../../src-shared/ipc/window-wire.ts';

/** Contents of a window in the shape Electron gives them, with what was sent to the page. */
class FakeContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: { origin: string };
  readonly told: unknown[][] = [];
  constructor(id: number, origin = PAGE_ORIGIN) {
    super();
    this.id = id;
    this.mainFrame = { origin };
  }
  send(...values: unknown[]): void {
    this.told.push(values);
  }
}

/** A transport over a service that answers with what it was asked; windows 1 and 2 are ours. */
function openTransport(call: Service['call'] = async (name, input) => ({ ok: true, value: [name, input] })) {
  const handlers = new Map<string, (...values: unknown[]) => unknown>();
  const reported: { error: unknown; where: string }[] = [];
  let publish: (name: TopicName, payload: unknown) => void = () => undefined;
  const ipc = {
    handle: (channel: string, handler: (...values: unknown[]) => unknown) => void handlers.set(channel, handler),
    on: (channel: string, handler: (...values: unknown[]) => unknown) => void handlers.set(channel, handler),
  };
  serveWindows({
    ipc: ipc as unknown as IpcMain,
    service: {
      call,
      onTopic(listener) {
        publish = listener;
        return () => undefined;
      },
    },
    isOurs: (id) => id === 1 || id === 2,
    report: (error, where) => void reported.push({ error, where }),
    newReference: () => 'reference-1',
  });
  const ask = (channel: string, event: object, ...values: unknown[]): unknown =>
    handlers.get(channel)?.(event, ...values);
  return { ask, reported, publish: (name: TopicName, payload: unknown) => publish(name, payload) };
}

const from = (contents: FakeContents, senderFrame: unknown = contents.mainFrame): object => ({
  sender: contents,
  senderFrame,
});

/** A frame that has gone: Electron throws on every look at it. */
const gone = {
  get origin(): string {
    throw new Error('Render frame was disposed before WebFrameMain could be accessed');
  },
};

const windowWithGoneFrame = new FakeContents(1);
Object.defineProperty(windowWithGoneFrame, 'mainFrame', { value: gone });

const strangers: [string, object][] = [
  ['a window that is not ours', from(new FakeContents(3))],
  ['a frame inside the page', from(new FakeContents(1), { origin: PAGE_ORIGIN })],
  ['a frame that is gone', from(new FakeContents(1), null)],
  ['a main frame that is gone', from(windowWithGoneFrame)],
  ['a page of another site', from(new FakeContents(1, 'https://example.org'))],
  ['another host of the same scheme', from(new FakeContents(1, 'countersign-app://other'))],
  ['a file', from(new FakeContents(1, 'file://'))],
  ['a page without an origin', from(new FakeContents(1, 'null'))],
];

describe('the transport of the windows', () => {
  it('asks the service what our page asks, and answers with its reply', async () => {
    const { ask, reported } = openTransport();
    const reply = await ask(CALL_CHANNEL, from(new FakeContents(1)), 'runs.detail', { runId: 'r' });
    expect(reply).toEqual({ ok: true, value: ['runs.detail', { runId: 'r' }] });
    expect(reported).toEqual([]);
  });

  it.each(strangers)('answers %s with a fault, asks nothing, and reports it', async (_who, event) => {
    const asked: unknown[] = [];
    const { ask, reported } = openTransport(async (name) => {
      asked.push(name);
      return { ok: true, value: null };
    });
    const reply = await ask(CALL_CHANNEL, event, 'runs.approve', {});
    expect(reply).toEqual({ ok: false, fault: { code: 'not_allowed', reference: 'reference-1' } });
    expect(asked).toEqual([]);
    expect(reported.map(({ where }) => where)).toEqual(['window call reference-1']);
  });

  it.each([undefined, 7, ['runs.detail'], null])('answers a call named %j with a fault', async (name) => {
    const { ask } = openTransport();
    const reply = await ask(CALL_CHANNEL, from(new FakeContents(1)), name, {});
    expect(reply).toEqual({ ok: false, fault: { code: 'unknown_channel', reference: 'reference-1' } });
  });

  it('lets nothing of an error out but its reference', async () => {
    const { ask, reported } = openTransport(() => Promise.reject(new Error('/secret/path')));
    const reply = await ask(CALL_CHANNEL, from(new FakeContents(1)), 'host.health', {});
    expect(reply).toEqual({ ok: false, fault: { code: 'internal', reference: 'reference-1' } });
    expect(String(reported[0]?.error)).toContain('/secret/path');
  });
});

describe('topics', () => {
  const changed = (runId: string): [string, string, unknown] => [TOPIC_CHANNEL, 'runs.changed', { runIds: [runId] }];

  it('reach the windows that listen to them, each what it asked for', () => {
    const { ask, publish } = openTransport();
    const [first, second] = [new FakeContents(1), new FakeContents(2)];
    ask(TOPICS_CHANNEL, from(first), ['runs.changed']);
    ask(TOPICS_CHANNEL, from(second), ['configurations.changed']);
    publish('runs.changed', { runIds: ['a'] });
    publish('configurations.changed', {});
    expect(first.told).toEqual([changed('a')]);
    expect(second.told).toEqual([[TOPIC_CHANNEL, 'configurations.changed', {}]]);
  });

  it.each([
    ['was closed', (contents: FakeContents) => void contents.emit('destroyed')],
    ['crashed', (contents: FakeContents) => void contents.emit('render-process-gone')],
  ])('no longer go to a window that %s', (_what, end) => {
    const { ask, publish } = openTransport();
    const contents = new FakeContents(1);
    ask(TOPICS_CHANNEL, from(contents), ['runs.changed']);
    publish('runs.changed', { runIds: ['a'] });
    end(contents);
    publish('runs.changed', { runIds: ['b'] });
    expect(contents.told).toEqual([changed('a')]);
  });

  it('go to a window again that crashed, came back and listens', () => {
    const { ask, publish } = openTransport();
    const contents = new FakeContents(1);
    ask(TOPICS_CHANNEL, from(contents), ['runs.changed']);
    contents.emit('render-process-gone');
    ask(TOPICS_CHANNEL, from(contents), ['runs.changed']);
    contents.emit('render-process-gone');
    ask(TOPICS_CHANNEL, from(contents), ['runs.changed']);
    publish('runs.changed', { runIds: ['a'] });
    expect(contents.told).toEqual([changed('a')]);
    expect(contents.listenerCount('destroyed')).toBe(1);
  });

  it('of the page before a reload are forgotten when the new page says that it listens to nothing yet', () => {
    const { ask, publish } = openTransport();
    const contents = new FakeContents(1);
    ask(TOPICS_CHANNEL, from(contents), ['runs.changed']);
    ask(TOPICS_CHANNEL, from(contents), []);
    publish('runs.changed', { runIds: ['a'] });
    expect(contents.told).toEqual([]);
  });

  it.each(strangers)('are refused to %s', (_who, event) => {
    const { ask, publish, reported } = openTransport();
    ask(TOPICS_CHANNEL, event, ['runs.changed']);
    publish('runs.changed', { runIds: ['a'] });
    expect((event as { sender: FakeContents }).sender.told).toEqual([]);
    expect(reported.map(({ where }) => where)).toEqual(['window topics']);
  });

  it.each(['runs.changed', [7], ['runs.approve'], [['runs.changed']], null])('cannot be asked for as %j', (names) => {
    const { ask, publish, reported } = openTransport();
    const contents = new FakeContents(1);
    ask(TOPICS_CHANNEL, from(contents), names);
    publish('runs.changed', { runIds: ['a'] });
    expect(contents.told).toEqual([]);
    expect(reported).toHaveLength(1);
  });
});

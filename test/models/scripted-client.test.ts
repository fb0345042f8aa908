import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src-main/domain/message.ts';
import type { ModelRequest } from '../../src-main/domain/model-client.ts';
import { readScenario } from '../../src-main/models/scenario.ts';
import { createScriptedClient } from '../../src-main/models/scripted-client.ts';
import { readAnswer, testDependencies } from './support/fake-provider.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-scenarios-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function play(scenario: object) {
  const scenarioPath = join(folder, `play-${(files += 1)}.json`);
  await writeFile(scenarioPath, JSON.stringify({ version: 1, name: 'test', ...scenario }));
  return createScriptedClient({ scenarioPath }, testDependencies());
}

const tools: ModelRequest['tools'] = [{ name: 'get_record', description: 'Reads.', parameters: {} }];
const user: Message = { role: 'user', content: 'Check page 42' };
const asked: Message = { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'get_record', arguments: {} }] };
const got = (content: string, isError = false): Message => ({
  role: 'tool',
  callId: 'a',
  toolName: 'get_record',
  content,
  isError,
});
const request = (...messages: Message[]): ModelRequest => ({
  messages,
  tools,
  runId: '11111111-2222-4333-8444-555555555555',
});

const scenario = {
  turns: [
    {
      text: 'Reading.',
      calls: [
        { name: 'get_record', arguments: { id: "{{ prompt.match('(\\d+)') | number }}" } },
        { name: 'get_record', arguments: {} },
      ],
    },
    {
      branches: [
        { when: { contains: ['{{ results.get_record.content }}', 'approval_denied'] }, text: 'Denied.' },
        { when: { exists: '{{ results.get_record.title }}' }, text: 'It is {{ results.get_record.title }}.' },
      ],
    },
  ],
  closing: 'Bye, {{ prompt }}.',
};

describe('the scripted model', () => {
  it('answers with text, calls and one finish; ids depend on run, turn and position only', async () => {
    const answer = await readAnswer(await play(scenario), request(user));
    expect(answer.text).toBe('Reading.');
    expect(answer.calls).toEqual([
      { id: '11111111222243338444555555555555_1_0', name: 'get_record', argumentsText: '{"id":42}' },
      { id: '11111111222243338444555555555555_1_1', name: 'get_record', argumentsText: '{}' },
    ]);
    expect(answer.finish).toEqual([
      { type: 'finish', reason: 'tool_calls', inputTokens: 31, outputTokens: 57, costMicros: 0 },
    ]);
    expect(answer.parts.at(-1)?.type).toBe('finish');
  });

  it('finds its place in the messages alone, so another process may go on', async () => {
    const messages = [{ role: 'system' as const, content: 'Be brief.' }, user, asked, got('{"title":"Home"}')];
    const first = await readAnswer(await play(scenario), request(...messages));
    const again = await readAnswer(await play(scenario), request(...messages));
    expect(first.text).toBe('It is Home.');
    expect(again).toEqual(first);
  });

  it('reacts to what the tool said', async () => {
    const client = await play(scenario);
    expect((await readAnswer(client, request(user, asked, got('approval_denied: no', true)))).text).toBe('Denied.');
    expect((await readAnswer(client, request(user, asked, got('{"title":"Shop"}')))).text).toBe('It is Shop.');
  });

  it('says its closing after the last turn', async () => {
    const done: Message = { role: 'assistant', content: 'It is Home.' };
    const answer = await readAnswer(
      await play(scenario),
      request(user, asked, got('{}'), done, { role: 'user', content: 'And?' }),
    );
    expect(answer.text).toBe('Bye, Check page 42.');
    expect(answer.finish[0]).toMatchObject({ reason: 'stop' });
  });

  it('R-128 calls nothing when no tools are offered', async () => {
    const client = await play({ turns: [{ calls: [{ name: 'get_record', arguments: {} }] }] });
    const answer = await readAnswer(client, { ...request(user), tools: [] });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toBe('That was all I had to do.');
  });

  it('streams a long text in parts that make up exactly the text', async () => {
    const text = 'word and  white\n\nspace – “quoted” 👩‍🚀 '.repeat(30);
    const answer = await readAnswer(await play({ turns: [{ text }] }), request(user));
    expect(answer.text).toBe(text);
    expect(answer.parts.length).toBeGreaterThan(20);
  });

  it.each([
    [{ equals: ['{{ results.get_record.n }}', 42] }, true],
    [{ equals: ['{{ results.get_record.n }}', '42'] }, false],
    [{ equals: ['{{ results.get_record.missing }}', '{{ results.get_record.missing }}'] }, false],
    [{ contains: ['{{ results.get_record.list }}', 2] }, true],
    [{ contains: ['{{ results.get_record.list }}', '2'] }, false],
    [{ contains: ['{{ results.get_record.missing }}', ''] }, false],
    [{ exists: '{{ results.get_record.empty }}' }, false],
    [{ not: { exists: '{{ results.get_record.empty }}' } }, true],
    [{ all: [{ exists: '{{ prompt }}' }, { exists: '{{ results.get_record.empty }}' }] }, false],
    [{ any: [{ exists: '{{ results.get_record.empty }}' }, { exists: '{{ prompt }}' }] }, true],
  ])('decides %j as %s', async (when, holds) => {
    const client = await play({ turns: [{ text: 'a' }, { branches: [{ when, text: 'yes' }, { text: 'no' }] }] });
    const answer = await readAnswer(client, request(user, asked, got('{"n":42,"list":[1,2],"empty":""}')));
    expect(answer.text).toBe(holds ? 'yes' : 'no');
  });

  it('names file, turn and reference when a value is missing', async () => {
    const client = await play({ turns: [{ text: 'a' }, { text: 'It is {{ results.get_record.title }}.' }] });
    await expect(readAnswer(client, request(user, asked, got('no JSON')))).rejects.toMatchObject({
      failureClass: 'configuration',
      message: expect.stringMatching(
        /^Scenario play-\d+\.json: turn 2 needs \{\{ results\.get_record\.title }}, which has no value/,
      ) as string,
    });
  });

  it('says so when no branch fits', async () => {
    await expect(readAnswer(await play(scenario), request(user, asked, got('{}')))).rejects.toMatchObject({
      failureClass: 'configuration',
      message: expect.stringMatching(/no branch of turn 2 fits/) as string,
    });
  });

  it('fails as its scenario says, after the text', async () => {
    const client = await play({
      turns: [{ text: 'Half an', fail: { class: 'rateLimit', sentence: 'Slow down.', retryAfterSeconds: 9 } }],
    });
    const parts: unknown[] = [];
    const reading = (async () => {
      for await (const part of client.complete(request(user), new AbortController().signal)) parts.push(part);
    })();
    await expect(reading).rejects.toMatchObject({
      failureClass: 'rateLimit',
      message: 'Slow down.',
      retryAfterSeconds: 9,
    });
    expect(parts).toEqual([{ type: 'text', text: 'Half an' }]);
  });

  it('pauses by the given timer and stops at once with the signal’s reason', async () => {
    const scenarioPath = join(folder, 'slow.json');
    await writeFile(
      scenarioPath,
      JSON.stringify({ version: 1, name: 'slow', turns: [{ text: 'late', delayMs: 60_000 }] }),
    );
    const timers: { delayMs: number; elapse: () => void; stopped: boolean }[] = [];
    const controller = new AbortController();
    const reason = new Error('cancelled by a person');
    const client = createScriptedClient(
      { scenarioPath },
      {
        startTimer: (delayMs, elapse) => {
          const timer = { delayMs, elapse, stopped: false };
          timers.push(timer);
          queueMicrotask(timers.length === 1 ? elapse : () => controller.abort(reason));
          return () => void (timer.stopped = true);
        },
      },
    );
    expect((await readAnswer(client, request(user))).text).toBe('late');
    await expect(readAnswer(client, request(user), controller.signal)).rejects.toBe(reason);
    expect(timers.map(({ delayMs, stopped }) => [delayMs, stopped])).toEqual([
      [60_000, true],
      [60_000, true],
    ]);
  });

  it('T-32 plays no turn on a damaged transcript', async () => {
    await expect(readAnswer(await play(scenario), request(user, asked))).rejects.toMatchObject({
      failureClass: 'unknown',
    });
  });
});

describe('scenario files', () => {
  const turns = [{ text: 'a' }];
  it.each([
    ['{', /^Scenario x\.json: the file is not valid JSON\. Correct the file/],
    ['[]', /the file must be object/],
    [{ name: 'x', turns }, /the file must have required property 'version'/],
    [{ version: 2, name: 'x', turns }, /version must be equal to constant \(1\)/],
    [{ version: 1, name: 'x', turns: [] }, /turns must NOT have fewer than 1 items/],
    [{ version: 1, name: 'x', turns: [{ txt: 'a' }] }, /turns\[0] must NOT have additional properties \("txt"\)/],
    [{ version: 1, name: 'x', turns: [{}] }, /turns\[0] has no text, calls or fail/],
    [
      { version: 1, name: 'x', turns: [{ branches: [{ text: 'a' }, { delayMs: 1 }] }] },
      /turns\[0]\.branches\[1] has no text/,
    ],
    [
      { version: 1, name: 'x', turns: [{ text: 'a', branches: [{ text: 'b' }] }] },
      /turns\[0] has branches and an answer of its own/,
    ],
    [
      { version: 1, name: 'x', turns: [{ fail: { class: 'odd' } }] },
      /turns\[0]\.fail\.class must be .+\("|\["connection"/,
    ],
    [
      { version: 1, name: 'x', turns: [{ calls: [{ name: 't', arguments: { a: ['{{ nothing }}'] } }] }] },
      /turns\[0]\.calls\[0]\.arguments\.a\[0] expected prompt, results or values/,
    ],
    [
      { version: 1, name: 'x', turns: [{ branches: [{ when: { not: { equals: [1] } }, text: 'a' }] }] },
      /turns\[0]\.branches\[0]\.when\.not\.equals must NOT have fewer than 2 items/,
    ],
  ])('say where %j is wrong', (content, sentence) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => readScenario('x.json', text)).toThrow(sentence);
    expect(() => readScenario('x.json', text)).toThrow(
      expect.objectContaining({ failureClass: 'configuration' }) as Error,
    );
  });

  it('say so when they are not there', async () => {
    const client = createScriptedClient({ scenarioPath: join(folder, 'gone.json') }, testDependencies());
    await expect(readAnswer(client, request(user))).rejects.toMatchObject({
      failureClass: 'configuration',
      message:
        'Scenario gone.json: the file cannot be read. Correct the file, or choose another one in the configuration.',
    });
  });
});

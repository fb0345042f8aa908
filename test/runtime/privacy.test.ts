import { describe, expect, it } from 'vitest';
import { PRIVACY_LEVELS, type PrivacyLevel } from '../../src-shared/vocabulary.ts';
import { DEFAULT_SETTINGS } from '../../src-main/domain/configuration.ts';
import { call } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { useRuntime } from '../support/use-runtime.ts';

/** One word in each place where people, models and tools say something. */
const SAID = [
  'PROMPTWORD',
  'SYSTEMWORD',
  'ANSWERWORD',
  'THOUGHTWORD',
  'ARGUMENTWORD',
  'RESULTWORD',
  'BEFOREWORD',
  'FINALWORD',
];

async function talkativeRun(
  open: ReturnType<typeof useRuntime>,
  privacy: PrivacyLevel,
): Promise<[RuntimeFixture, string]> {
  const calls = [call('read_x', { key: 'body' }), call('set_x', { key: 'title', value: 'ARGUMENTWORD' })];
  const f = open(
    [
      { text: 'ANSWERWORD', thinking: 'THOUGHTWORD', calls },
      { calls: [call('read_x', { key: 'body' })] },
      { text: 'FINALWORD' },
    ],
    { privacy, systemPrompt: 'SYSTEMWORD' },
  );
  f.world.values.set('body', 'RESULTWORD');
  f.world.values.set('title', 'BEFOREWORD');
  const { id } = await f.start({ prompt: 'PROMPTWORD' });
  await f.segment();
  await f.approve(id);
  f.world.values.set('title', 'BEFOREWORD again');
  await f.segment();
  await f.approve(id);
  expect(await f.segment()).toBe('completed');
  return [f, id];
}

const storedText = (f: RuntimeFixture): string =>
  JSON.stringify(
    ['run_events', 'runs', 'changes', 'uncertain_writes'].map((table) =>
      f.database.prepare(`select * from ${table}`).all(),
    ),
  );

describe('what the record keeps of what was said', () => {
  const open = useRuntime();

  it.each(['none', 'metadata'] as const)(
    'R-176 and H-354 keeps no word of prompt, arguments, results or answers at level %s',
    async (level) => {
      expect(DEFAULT_SETTINGS.privacy).toBe('metadata');
      const [f, id] = await talkativeRun(open, level);
      const text = storedText(f);
      for (const word of SAID) expect(text, word).not.toContain(word);
      const events = await f.events(id);
      const llm = events.find((event) => event.kind === 'llm');
      expect(llm?.payload).toMatchObject({
        contentRedacted: true,
        contentLength: 10,
        requestedToolNames: ['read_x', 'set_x'],
      });
      expect(events.find((event) => event.kind === 'tool')?.payload).toMatchObject({
        toolName: 'read_x',
        toolIsError: false,
      });
    },
  );

  it('R-176 keeps everything at level full: the case above looks for words that are really said', async () => {
    const [f, id] = await talkativeRun(open, 'full');
    const text = JSON.stringify(await f.events(id));
    for (const word of SAID.filter((said) => said !== 'BEFOREWORD')) expect(text, word).toContain(word);
    // What was there before is only ever in the sealed preview.
    expect(text).not.toContain('BEFOREWORD');
  });

  it('R-177 masks secrets at level redacted, through the whole loop', async () => {
    const f = open([{ text: 'use https://me:hunter2@host/ and sk-abcdefghijklmnop' }], { privacy: 'redacted' });
    const { id } = await f.start({ prompt: 'mail joe@example.org' });
    await f.segment();
    const text = JSON.stringify(await f.events(id));
    for (const secret of ['hunter2', 'abcdefghijklmnop', 'joe@example.org']) expect(text).not.toContain(secret);
  });

  it.each(PRIVACY_LEVELS)('gives the model the same words at level %s: execution is not filtered', async (level) => {
    const [f] = await talkativeRun(open, level);
    const sent = JSON.stringify(f.model.requests);
    for (const word of ['PROMPTWORD', 'SYSTEMWORD', 'ANSWERWORD', 'ARGUMENTWORD', 'RESULTWORD'])
      expect(sent).toContain(word);
    expect(sent).not.toContain('THOUGHTWORD');
  });

  it.each(PRIVACY_LEVELS)(
    'H-160 keeps no word of a note in clear at level %s, and gives it to the model',
    async (level) => {
      const f = open(
        [
          { calls: [call('set_x', { key: 'title', value: 'new' })] },
          { calls: [call('read_x', { key: 'body' })] },
          { text: 'done' },
        ],
        { privacy: level },
      );
      const { id } = await f.start();
      await f.segment();
      await f.deny(id, OWNER, { note: 'NOTEWORD, "please"' });
      expect(await f.segment()).toBe('completed');
      expect(storedTexts(f).filter((text) => text.includes('NOTEWORD'))).toEqual([]);
      expect(JSON.stringify(f.reports)).not.toContain('NOTEWORD');
      const sent = f.model.requests.map((request) => JSON.stringify(request).includes('NOTEWORD'));
      expect(sent).toEqual([false, true, true]);
      // That there was a note is told where the rest of the refusal is.
      const told = JSON.stringify(await f.events(id)).includes('Their note: kept with the decision only');
      expect(told).toBe(level === 'redacted' || level === 'full');
    },
  );

  it('R-179 keeps kind, round and a duration of two decimals on every step', async () => {
    const [f, id] = await talkativeRun(open, 'metadata');
    for (const event of await f.events(id)) {
      expect(Number.isInteger(event.round)).toBe(true);
      expect(event.durationMs).toBe(Math.round(event.durationMs * 100) / 100);
    }
  });
});

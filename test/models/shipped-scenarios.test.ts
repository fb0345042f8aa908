import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import type { Message } from '../../src-main/domain/message.ts';
import type { ModelRequest } from '../../src-main/domain/model-client.ts';
import { argumentProblems } from '../../src-main/domain/argument-rules.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';
import { createModelClient } from '../../src-main/models/model-factory.ts';
import { readAnswer, testDependencies } from './support/fake-provider.ts';

const registry = buildRegistry(BUILTIN_TOOLS);

type ToolAnswer = { content: string; isError?: boolean };

/** Lets a shipped scenario run to its final answer, each call answered by `tool`. */
async function run(
  scenario: string,
  prompt: string,
  tool: (name: string, args: JsonObject, nth: number) => ToolAnswer,
) {
  const scenarioPath = join(import.meta.dirname, '../../resources/scenarios', scenario);
  const client = createModelClient({ kind: 'scripted', scenarioPath }, { apiKey: null }, testDependencies());
  const messages: Message[] = [{ role: 'user', content: prompt }];
  const tools: ModelRequest['tools'] = [{ name: 'any', description: '', parameters: {} }];
  const calls: { name: string; arguments: JsonObject }[] = [];
  for (let round = 0; round < 10; round += 1) {
    const answer = await readAnswer(client, { messages, tools, runId: 'run' });
    if (answer.calls.length === 0) return { final: answer.text, calls };
    const toolCalls = answer.calls.map(({ id, name, argumentsText }) => ({
      id,
      name,
      arguments: JSON.parse(argumentsText) as JsonObject,
    }));
    messages.push({ role: 'assistant', content: answer.text, toolCalls });
    for (const call of toolCalls) {
      calls.push({ name: call.name, arguments: call.arguments });
      // A shipped scenario asks only for what the shipped tools take.
      const definition = registry.get(call.name);
      if (!definition) throw new Error(`There is no tool ${call.name}.`);
      expect(argumentProblems(definition, call.arguments)).toEqual([]);
      const nth = calls.filter(({ name }) => name === call.name).length;
      const { content, isError = false } = tool(call.name, call.arguments, nth);
      messages.push({ role: 'tool', callId: call.id, toolName: call.name, content, isError });
    }
  }
  throw new Error('the scenario does not end');
}

const record = (fields: object): ToolAnswer => ({ content: JSON.stringify(fields) });
const rows = (...values: unknown[]): ToolAnswer => ({
  content: JSON.stringify({ columns: ['body'], rows: values.map((value) => [value]), rowCount: values.length }),
});

describe('the meta description scenario', () => {
  const page = {
    id: 42,
    title: 'Opening hours',
    meta_description: 'tbd',
  };
  const body = '<p>We are open\n every day from nine to five.</p>';
  const key = { id: 42 };
  const read = { name: 'get_record', arguments: { database: 'site', table: 'pages', key } };
  const look = {
    name: 'query_records',
    arguments: {
      database: 'site',
      sql: 'select body from content_elements where page_id = 42 order by position limit 1',
    },
  };
  const write = (meta_description: string) => ({
    name: 'update_record',
    arguments: { database: 'site', table: 'pages', key, values: { meta_description } },
  });
  const proposal = 'Opening hours: We are open every day from nine to five.';
  const prompt = 'Check the meta description of page 42';

  it('reads the page, proposes a description built from its data and quotes the result', async () => {
    const { final, calls } = await run('check-meta-description.json', prompt, (name) =>
      name === 'get_record' ? record(page) : name === 'query_records' ? rows(body) : { content: 'Updated pages 42.' },
    );
    expect(calls).toEqual([read, look, write(proposal)]);
    expect(final).toBe('Done: page 42 has the new meta description. The result was: Updated pages 42.');
  });

  it('keeps within 155 characters whatever the page says', async () => {
    const long = { ...page, title: 'Title word '.repeat(30) };
    const { calls } = await run('check-meta-description.json', prompt, (name) =>
      name === 'get_record' ? record(long) : rows('<b>body</b> text '.repeat(300)),
    );
    const values = calls[2]?.arguments.values as { meta_description: string };
    expect(Array.from(values.meta_description).length).toBeLessThanOrEqual(155);
  });

  it('accepts a denial', async () => {
    const { final, calls } = await run('check-meta-description.json', prompt, (name) =>
      name === 'get_record'
        ? record({ ...page, meta_description: null })
        : name === 'query_records'
          ? rows()
          : { content: 'approval_denied: the owner declined, nothing changed', isError: true },
    );
    expect(calls).toHaveLength(3);
    expect(final).toMatch(/was not approved, so page 42 stays as it is.*the owner declined/);
  });

  it('looks again when the page was changed meanwhile, and proposes on what it is now', async () => {
    const { final, calls } = await run('check-meta-description.json', prompt, (name, _args, nth) => {
      if (name === 'get_record') return record(nth === 1 ? page : { ...page, title: 'New hours' });
      if (name === 'query_records') return rows(body);
      return nth === 1 ? { content: 'The record changed since it was shown.', isError: true } : { content: 'Updated.' };
    });
    expect(calls).toEqual([read, look, write(proposal), read, write(proposal.replace('Opening', 'New'))]);
    expect(final).toMatch(/^Done: page 42/);
  });

  it.each([
    ['the page number is not named', 'Check the meta descriptions', () => record(page), 0, /Which page do you mean/],
    [
      'the page cannot be read',
      prompt,
      () => ({ content: 'There is no such record.', isError: true }),
      2,
      /could not read page 42.*no such record/,
    ],
    ['the page has no title', prompt, () => record({ id: 42, title: '' }), 2, /has no title/],
    [
      'the description is right already',
      prompt,
      (name: string) => (name === 'get_record' ? record({ ...page, meta_description: proposal }) : rows(body)),
      2,
      /nothing to change/,
    ],
  ] as const)('proposes nothing when %s', async (_when, asked, tool, count, sentence) => {
    const { final, calls } = await run('check-meta-description.json', asked, tool);
    expect(calls).toHaveLength(count);
    expect(final).toMatch(sentence);
  });
});

describe('the robots.txt scenario', () => {
  const robots = 'User-agent: *\nDisallow: /admin/\n';
  const prompt = 'Keep crawlers out of /search/.';
  const path = { workspace: 'site', path: 'robots.txt' };

  it.each([robots, JSON.stringify({ content: robots })])(
    'reads the file and proposes one more rule',
    async (content) => {
      const { final, calls } = await run('edit-robots.json', prompt, (name) => ({
        content: name === 'read_file' ? content : 'Edited robots.txt.',
      }));
      expect(calls).toEqual([
        { name: 'read_file', arguments: path },
        {
          name: 'edit_file',
          arguments: { ...path, old_text: 'User-agent: *', new_text: 'User-agent: *\nDisallow: /search/' },
        },
      ]);
      expect(final).toMatch(/^Done: crawlers .* \/search\/\. The result was: Edited robots\.txt\.$/);
    },
  );

  it.each([
    [{ content: 'approval_denied', isError: true }, /was not approved/],
    [{ content: 'The file changed since it was shown.', isError: true }, /nothing was written/],
    [{ content: 'The disk is full.', isError: true }, /was not made.*disk is full/],
  ])('reports %j', async (result, sentence) => {
    const { final } = await run('edit-robots.json', prompt, (name) =>
      name === 'read_file' ? { content: robots } : result,
    );
    expect(final).toMatch(sentence);
  });

  it.each([
    ['Keep crawlers out of /admin/', { content: robots }, /already keeps crawlers out of \/admin\//],
    [prompt, { content: 'Sitemap: /s.xml' }, /has no rules for all crawlers/],
    [prompt, { content: 'no such file', isError: true }, /could not read/],
  ])('proposes nothing for %j and %j', async (asked, file, sentence) => {
    const { final, calls } = await run('edit-robots.json', asked, () => file);
    expect(calls).toHaveLength(1);
    expect(final).toMatch(sentence);
  });
});

describe('the scenario that asks', () => {
  const prompt = 'Rename page 42';
  const answer = (menu: string) => (name: string) =>
    name === 'get_record'
      ? record({ id: 42, title: 'Opening hours' })
      : name === 'ask_form'
        ? record({ title: 'When we are open', menu })
        : { content: 'Updated pages 42.' };

  it.each([
    ['As it is', { title: 'When we are open' }],
    ['Not at all', { title: 'When we are open', is_hidden: 1 }],
  ])('proposes what the person answered (%s)', async (menu, values) => {
    const { final, calls } = await run('rename-page.json', prompt, answer(menu));
    expect(calls.map(({ name }) => name)).toEqual(['get_record', 'ask_form', 'update_record']);
    expect(calls.at(-1)?.arguments).toEqual({ database: 'site', table: 'pages', key: { id: 42 }, values });
    expect(final).toContain('Updated pages 42.');
  });

  it('proposes nothing when it got no answer', async () => {
    const { final, calls } = await run('rename-page.json', prompt, (name) =>
      name === 'get_record'
        ? record({ id: 42, title: 'Opening hours' })
        : { content: 'Error: not permitted', isError: true },
    );
    expect(calls).toHaveLength(2);
    expect(final).toContain('not permitted');
  });
});

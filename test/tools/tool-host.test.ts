import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src-main/domain/tool.ts';
import { provePlainJson } from '../../src-main/domain/plain-json.ts';
import { isToolReply, isToolRequest } from '../../src-main/tools/tool-protocol.ts';
import { InProcessTools, makePlace, withFile } from '../support/tool-fixtures.ts';

const SECRET = 'token=s3cret at https://intern.invalid';

class ConnectionBroken extends Error {}

function throwing(error: unknown): Tool {
  const fail = (): never => {
    throw error;
  };
  return {
    definition: {
      name: 'broken',
      description: 'Throws.',
      parameters: { type: 'object' },
      effect: 'idempotent_write',
      group: 'test',
      requiresAdmin: false,
      requiresApproval: false,
      requiresInput: false,
      remote: null,
    },
    plan: fail,
    execute: fail,
  };
}

describe('handleToolRequest', () => {
  it.each([[new ConnectionBroken(SECRET)], [SECRET], [null], [Object.assign(new Error(SECRET), { name: SECRET })]])(
    'R-127 makes "tool X failed" of anything thrown (%#), and gives the whole error to the log',
    async (error) => {
      const tools = new InProcessTools(makePlace().context, [throwing(error)]);
      const result = await tools.execute('broken', {}, { before: 'x', after: null });
      expect(result).toEqual({ outcome: 'failed', content: 'The tool broken failed.', write: null });
      expect(tools.faults).toHaveLength(1);
      expect(tools.faults[0]?.message).toBe(error instanceof Error ? SECRET : String(error));
      expect(tools.faults.every(isToolReply)).toBe(true);
    },
  );

  it('H-063 names only the class of an error in a failed preview', async () => {
    const tools = new InProcessTools(makePlace().context, [throwing(new ConnectionBroken(SECRET))]);
    const planned = await tools.plan('broken', {});
    expect(planned).toEqual({
      callId: 'call-0',
      toolName: 'broken',
      target: null,
      footprint: null,
      preview: { kind: 'failed', reason: 'The preview failed (ConnectionBroken).' },
    });
    expect(tools.faults[0]).toMatchObject({ name: 'ConnectionBroken', message: SECRET });
  });

  it('R-148 gives every call of a turn one preview, in order, reads and unknown tools too', async () => {
    const tools = new InProcessTools(makePlace('create table t (a); insert into t values (1)').context);
    const previews = await tools.planTurn(
      ['query_records', { database: 'site', sql: 'select 1' }],
      ['update_record', { database: 'site', table: 't', key: { rowid: 1 }, values: { a: 2 } }],
      ['nothing', {}],
      ['constructor', {}],
    );
    expect(
      previews.map((each) => [each.callId, each.preview.kind === 'failed' ? each.preview.reason : each.preview.kind]),
    ).toEqual([
      ['call-0', 'This tool has no preview.'],
      ['call-1', 'record'],
      ['call-2', 'There is no tool "nothing".'],
      ['call-3', 'There is no tool "constructor".'],
    ]);
    for (const preview of previews) provePlainJson(JSON.parse(JSON.stringify(preview)));
  });

  it('R-205 names the target of every successful write, never of a read', async () => {
    const tools = new InProcessTools(makePlace('create table t (a); insert into t values (1)').context);
    expect((await tools.execute('query_records', { database: 'site', sql: 'select 1' })).write).toBeNull();
    const writes = [
      await tools.approve('update_record', { database: 'site', table: 't', key: { rowid: 1 }, values: { a: 2 } }),
      await tools.approve('create_record', { database: 'site', table: 't', values: { a: 3 } }),
      await tools.approve('delete_record', { database: 'site', table: 't', key: { rowid: 1 } }),
      await tools.approve('write_file', { workspace: 'site', path: 'a', content: 'x\n' }),
      await tools.approve('edit_file', { workspace: 'site', path: 'a', old_text: 'x', new_text: 'y' }),
      await tools.approve('move_file', { workspace: 'site', from: 'a', to: 'b' }),
      await tools.approve('delete_file', { workspace: 'site', path: 'b' }),
    ];
    expect(writes.map((each) => `${each.outcome} ${each.write?.kind} ${each.write?.target.kind}`)).toEqual([
      'ok updated record',
      'ok created record',
      'ok deleted record',
      'ok created file',
      'ok updated file',
      'ok updated file',
      'ok deleted file',
    ]);
  });

  it('lets no write run without a footprint that somebody approved, also one that would not ask for it itself', async () => {
    const careless = {
      ...throwing(null),
      execute: () => ({ outcome: 'ok' as const, content: 'written', write: null }),
    };
    const tools = new InProcessTools(makePlace().context, [careless]);
    expect(await tools.execute('broken', {}, null)).toMatchObject({ outcome: 'refused', write: null });
    expect(await tools.execute('broken', {}, { before: 'x', after: null })).toMatchObject({ outcome: 'ok' });
  });

  it('H-175 writes nothing that nobody saw, and says why it still cannot be shown, or that it can be shown now', async () => {
    const place = makePlace();
    const tools = new InProcessTools(place.context);
    const args = { database: 'site', table: 'pages', values: { title: 'new' } };
    expect((await tools.plan('create_record', args)).preview.kind).toBe('failed');
    const still = await tools.execute('create_record', args);
    expect(still).toMatchObject({ outcome: 'refused', write: null });
    expect(still.content).toMatch(/^A person approved this change without a preview/);
    expect(still.content).toMatch(/still cannot be shown: .*no table "pages"/);
    withFile(place.databasePath, (connection) => connection.exec('create table pages (id integer primary key, title)'));
    const now = await tools.execute('create_record', args);
    expect(now).toMatchObject({ outcome: 'refused', write: null });
    expect(now.content).toMatch(/could be shown now\. Propose it again\.$/);
    withFile(place.databasePath, (connection) =>
      expect(connection.prepare('select count(*) from pages').pluck().get()).toBe(0),
    );
  });

  it('H-175 executes a tool of another program, which cannot plan: there is nothing that a person could have been shown', async () => {
    const { definition } = throwing(null);
    const remote: Tool = {
      definition: { ...definition, remote: { server: 'search', needsApproval: true } },
      execute: () => ({ outcome: 'ok', content: 'written', write: null }),
    };
    const tools = new InProcessTools(makePlace().context, [remote]);
    expect((await tools.plan('broken', {})).preview).toEqual({ kind: 'failed', reason: 'This tool has no preview.' });
    expect(await tools.execute('broken', {}, null)).toMatchObject({ outcome: 'ok', content: 'written' });
  });

  it('H-064 makes a failed preview, with a reason, of one that shows nothing', async () => {
    const target = { kind: 'record', database: 'site', table: 't', key: { id: 1 } } as const;
    const showing = (notes: string[]): Tool => ({
      ...throwing(null),
      plan: () => ({
        preview: { kind: 'record', action: 'update', target, changes: [], notes },
        target,
        footprint: { before: 'x', after: 'y' },
      }),
    });
    expect(await new InProcessTools(makePlace().context, [showing([])]).plan('broken', {})).toEqual({
      callId: 'call-0',
      toolName: 'broken',
      target: null,
      footprint: null,
      preview: { kind: 'failed', reason: 'The preview is empty.' },
    });
    const noted = await new InProcessTools(makePlace().context, [showing(['A trigger runs.'])]).plan('broken', {});
    expect(noted).toMatchObject({ target, preview: { kind: 'record' } });
  });

  it('an unknown tool is an answer, not a fault', async () => {
    const tools = new InProcessTools(makePlace().context);
    expect(await tools.execute('nothing', {})).toMatchObject({ outcome: 'failed', content: 'unknown tool: nothing' });
    expect(tools.faults).toEqual([]);
  });

  it.each([null, 'plan', {}, { kind: 'plan' }, { kind: 'execute', id: '1' }, { kind: 'ready', extra: [] }])(
    'takes no message of another shape (%j) for a request',
    (message) => expect(isToolRequest(message)).toBe(false),
  );
});

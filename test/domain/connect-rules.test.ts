import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src-main/domain/actor.ts';
import type { Configuration } from '../../src-main/domain/configuration.ts';
import { connectConfiguration, type ConnectFacts, type ConnectInput } from '../../src-main/domain/connect-rules.ts';
import { SETTINGS } from '../support/store.ts';

const ADMIN: Operator = { id: 1, name: 'admin', isAdmin: true, isEnabled: true, grants: [] };
const EXISTING: Configuration = {
  id: 'c1',
  identifier: 'local',
  isActive: true,
  settings: {
    ...SETTINGS,
    model: { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:1/v1', modelId: 'old', timeoutMs: 5 },
  },
};
const NEW_FACTS: ConnectFacts = { operator: ADMIN, existing: null, hasKey: false, nameOwnerId: null };
const CHANGE_FACTS: ConnectFacts = { ...NEW_FACTS, existing: EXISTING, hasKey: true, nameOwnerId: 'c1' };
const PLACE = { name: 'site', path: '/data/site', isAbsolute: true, exists: true, isReserved: false };
const INPUT: ConnectInput = {
  actor: { kind: 'operator', operatorId: 1 },
  configurationId: null,
  newId: 'n1',
  identifier: 'local',
  baseUrl: 'http://127.0.0.1:1/v1',
  modelId: 'tiny',
  key: { kind: 'none' },
  systemPrompt: 'Be brief.',
  databases: [],
  workspaces: [],
};

const problemsOf = (input: Partial<ConnectInput>, facts: ConnectFacts = NEW_FACTS): string[] => {
  const result = connectConfiguration(facts, { ...INPUT, ...input });
  if (result.ok) return [];
  return result.refusal.kind === 'invalid_request'
    ? result.refusal.problems.map(({ field, problem }) => `${field} ${problem}`)
    : [result.refusal.kind];
};

describe('connectConfiguration', () => {
  it.each<[string, Partial<ConnectInput>, string[]]>([
    ['takes a whole form', { databases: [PLACE], workspaces: [PLACE] }, []],
    ['wants a name', { identifier: '' }, ['identifier missing']],
    ['takes no name in capitals', { identifier: 'Local' }, ['identifier bad_name']],
    ['takes no name with a line break', { identifier: 'a\n' }, ['identifier bad_name']],
    ['takes a name of 63 characters', { identifier: 'a'.repeat(63) }, []],
    ['takes none of 64', { identifier: 'a'.repeat(64) }, ['identifier bad_name']],
    ['takes https', { baseUrl: 'https://models.example/v1' }, []],
    ['takes no other protocol', { baseUrl: 'ftp://models.example' }, ['baseUrl not_http_address']],
    ['takes no script', { baseUrl: 'javascript:alert(1)' }, ['baseUrl not_http_address']],
    ['takes no empty address', { baseUrl: ' ' }, ['baseUrl not_http_address']],
    ['takes no password in the address', { baseUrl: 'http://u:p@127.0.0.1/v1' }, ['baseUrl address_holds_key']],
    ['takes no user in the address', { baseUrl: 'http://u@127.0.0.1/v1' }, ['baseUrl address_holds_key']],
    ['wants a model', { modelId: ' ' }, ['modelId missing']],
    ['wants a key where one is announced', { key: { kind: 'new', key: ' ' } }, ['key missing']],
    ['bounds the prompt', { systemPrompt: 'x'.repeat(100_001) }, ['systemPrompt too_long']],
    ['wants databases to exist', { databases: [{ ...PLACE, exists: false }] }, ['databases.0.path no_such_file']],
    ['wants workspaces to exist', { workspaces: [{ ...PLACE, exists: false }] }, ['workspaces.0.path no_such_folder']],
    [
      'wants whole paths',
      { workspaces: [{ ...PLACE, path: 'site', isAbsolute: false }] },
      ['workspaces.0.path not_absolute'],
    ],
    ['wants a path', { databases: [{ ...PLACE, path: '', isAbsolute: false }] }, ['databases.0.path missing']],
    [
      'keeps the console to itself',
      { databases: [{ ...PLACE, isReserved: true }] },
      ['databases.0.path reserved_path'],
    ],
    ['wants each name once', { databases: [PLACE, PLACE] }, ['databases.1.name named_twice']],
    ['lets a database and a workspace share a name', { databases: [PLACE], workspaces: [PLACE] }, []],
    [
      'tells one thing per field, of all fields at once',
      { identifier: '', modelId: '', databases: [{ ...PLACE, name: '', exists: false }] },
      ['identifier missing', 'modelId missing', 'databases.0.name missing', 'databases.0.path no_such_file'],
    ],
  ])('%s', (_what, input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });

  it.each<[string, Partial<ConnectInput>, Partial<ConnectFacts>, string[]]>([
    ['is for administrators', {}, { operator: { ...ADMIN, isAdmin: false } }, ['not_administrator']],
    [
      'is for accounts that are not switched off',
      {},
      { operator: { ...ADMIN, isEnabled: false } },
      ['operator_unavailable'],
    ],
    ['is for people', { actor: { kind: 'anonymous' } }, { operator: null }, ['operator_unavailable']],
    ['reads the row of who asks', {}, { operator: { ...ADMIN, id: 2 } }, ['operator_unavailable']],
    ['gives no name twice', {}, { nameOwnerId: 'other' }, ['identifier name_taken']],
    ['changes nothing that is gone', { configurationId: 'gone' }, {}, ['configuration_gone']],
  ])('%s', (_what, input, facts, refused) => {
    expect(problemsOf(input, { ...NEW_FACTS, ...facts })).toEqual(refused);
  });

  it.each<[string, Partial<ConnectInput>, Partial<ConnectFacts>, string[]]>([
    ['keeps a key at its address', {}, {}, []],
    ['takes it to no other address', { baseUrl: 'http://127.0.0.1:2/v1' }, {}, ['key key_bound_to_address']],
    ['not even to another path', { baseUrl: 'http://127.0.0.1:1/v2' }, {}, ['key key_bound_to_address']],
    ['moves without one when there is none', { baseUrl: 'http://127.0.0.1:2/v1' }, { hasKey: false }, []],
    ['moves when it is entered again', { baseUrl: 'http://127.0.0.1:2/v1', key: { kind: 'new', key: 'k' } }, {}, []],
    ['moves when it is given up', { baseUrl: 'http://127.0.0.1:2/v1', key: { kind: 'none' } }, {}, []],
  ])('%s', (_what, input, facts, problems) => {
    const wanted = { configurationId: 'c1', key: { kind: 'keep' as const }, ...input };
    expect(problemsOf(wanted, { ...CHANGE_FACTS, ...facts })).toEqual(problems);
  });

  it('keeps what the form does not show, and takes the rest from it', () => {
    const existing = { ...EXISTING, isActive: false };
    const input: ConnectInput = {
      ...INPUT,
      configurationId: 'c1',
      identifier: 'renamed',
      key: { kind: 'new', key: ' k ' },
      systemPrompt: null,
    };
    expect(connectConfiguration({ ...CHANGE_FACTS, existing }, input)).toEqual({
      ok: true,
      value: {
        apiKey: 'k',
        configuration: {
          id: 'c1',
          identifier: 'renamed',
          isActive: false,
          settings: {
            ...EXISTING.settings,
            model: { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:1/v1', modelId: 'tiny', timeoutMs: 5 },
          },
        },
      },
    });
  });
});

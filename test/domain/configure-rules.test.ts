import { describe, expect, it } from 'vitest';
import type { ConfigurationSettings } from '../../src-main/domain/configuration.ts';
import {
  configureConfiguration,
  type ConfigureFacts,
  type ConfigureInput,
} from '../../src-main/domain/configure-rules.ts';
import { aConfiguration, PEOPLE } from '../support/run-builders.ts';

const before = aConfiguration();
const facts = (changes: Partial<ConfigureFacts> = {}): ConfigureFacts => ({
  operator: PEOPLE.admin,
  existing: before,
  hasKey: false,
  nameOwnerId: before.id,
  identifiers: [before.identifier, 'other'],
  ...changes,
});
const input = (settings: unknown, changes: Partial<ConfigureInput> = {}): ConfigureInput => ({
  actor: { kind: 'operator', operatorId: PEOPLE.admin.id },
  configurationId: before.id,
  newId: 'new',
  identifier: before.identifier,
  isActive: true,
  settings,
  databases: [],
  workspaces: [],
  ...changes,
});
const withSettings = (changes: Partial<ConfigurationSettings>) => input({ ...before.settings, ...changes });
const NONE = { tokens: null, costMicros: null };
const costly = { perRun: NONE, perDay: { ...NONE, costMicros: 5 } };

describe('changing a configuration', () => {
  it('says which settings changed, and nothing when it is so already', () => {
    expect(configureConfiguration(facts(), withSettings({}))).toMatchObject({ ok: true, value: { changed: [] } });
    const result = configureConfiguration(facts(), withSettings({ maxRounds: 7, privacy: 'full' }));
    expect(result).toMatchObject({
      ok: true,
      value: { changed: ['maxRounds', 'privacy'], configuration: { id: before.id } },
    });
    const off = configureConfiguration(facts(), input(before.settings, { isActive: false }));
    expect(off).toMatchObject({ ok: true, value: { changed: ['isActive'] } });
  });

  it('makes a new one of a whole description', () => {
    const made = configureConfiguration(
      facts({ existing: null, nameOwnerId: null }),
      input(before.settings, { configurationId: null, identifier: 'carried' }),
    );
    expect(made).toMatchObject({
      ok: true,
      value: { changed: ['created'], configuration: { id: 'new', identifier: 'carried' } },
    });
  });

  it.each([
    ['rounds out of range', { maxRounds: 21 }, 'maxRounds'],
    ['a privacy nobody knows', { privacy: 'some' as never }, 'privacy'],
    [
      'a budget of nothing',
      { budget: { perRun: { tokens: 0, costMicros: null }, perDay: NONE } },
      'budget.perRun.tokens',
    ],
    ['a limit of cost without prices', { budget: costly }, 'prices'],
    ['itself to fall back to', { fallbacks: ['sample'] }, 'fallbacks.0'],
    ['nobody to fall back to', { fallbacks: ['other', 'gone'] }, 'fallbacks.1'],
    ['a zone nobody knows', { trustZone: 'moon' as never }, 'trustZone'],
    ['NaN', { offlineLimitMs: Number.NaN }, 'offlineLimitMs'],
    ['a number JSON would round', { decisionLimitMs: 10 ** 17 }, 'decisionLimitMs'],
    ['half a character', { toolNames: ['a\ud800'] }, 'toolNames'],
    [
      'an address with a password',
      { model: { kind: 'openai_compatible', baseUrl: 'http://me:pw@x/v1', modelId: 'm' } as const },
      'baseUrl',
    ],
  ])('refuses %s and names the field', (_, changes, field) => {
    const refused = configureConfiguration(facts(), withSettings(changes));
    expect(refused).toMatchObject({ ok: false, refusal: { kind: 'invalid_request', problems: [{ field }] } });
  });

  it('says that a stored key goes when the model asks nobody any more', () => {
    const { model } = before.settings;
    const asking = aConfiguration({
      model: { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1/v1', modelId: 'm' },
    });
    const scripted = configureConfiguration(
      facts({ existing: asking, hasKey: true }),
      input({ ...asking.settings, model }),
    );
    expect(scripted).toMatchObject({ ok: true, value: { changed: ['model', 'key'] } });
  });

  it('accepts a limit of cost with prices, and others to fall back to', () => {
    const wanted = withSettings({ budget: costly, prices: { inputMicros: 1, outputMicros: 1 }, fallbacks: ['other'] });
    expect(configureConfiguration(facts(), wanted)).toMatchObject({ ok: true });
  });

  it.each([[null], ['text'], [[]], [{}]])('refuses %j, which is no description', (settings) => {
    expect(configureConfiguration(facts(), input(settings))).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_request' },
    });
  });

  it('keeps a stored key at its address', () => {
    const model = { kind: 'openai_compatible', baseUrl: 'http://elsewhere/v1', modelId: 'm' } as const;
    const refused = configureConfiguration(facts({ hasKey: true }), withSettings({ model }));
    expect(refused).toMatchObject({ refusal: { problems: [{ field: 'key', problem: 'key_bound_to_address' }] } });
  });

  it.each([
    ['somebody who is no administrator', PEOPLE.owner, 'not_administrator'],
    ['somebody who is disabled', PEOPLE.disabled, 'operator_unavailable'],
    ['nobody', null, 'operator_unavailable'],
  ] as const)('refuses %s', (_, operator, kind) => {
    const actor = { kind: 'operator', operatorId: operator?.id ?? 1 } as const;
    expect(configureConfiguration(facts({ operator }), input(before.settings, { actor }))).toMatchObject({
      ok: false,
      refusal: { kind },
    });
  });
});

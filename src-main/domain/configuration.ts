import { Type, type Static, type TSchema } from 'typebox';
import { DEFAULT_ROUNDS, MAX_ROUNDS } from '../../src-shared/run-limits.ts';
import { PRIVACY_LEVELS, TRUST_ZONES } from '../../src-shared/vocabulary.ts';
import { OFFLINE_LIMIT_MS } from './limits.ts';

/** Which model a configuration asks. A key is never in here: it is sealed in its own column. */
export const ModelSettings = Type.Union([
  /** The embedded scripted model; `scenarioPath` is an absolute path of a scenario file. */
  Type.Object({ kind: Type.Literal('scripted'), scenarioPath: Type.String({ minLength: 1 }) }),
  /** Any server that speaks the OpenAI chat-completions protocol. `baseUrl` ends before `/chat/completions`. */
  Type.Object({
    kind: Type.Literal('openai_compatible'),
    baseUrl: Type.String({ minLength: 1 }),
    modelId: Type.String({ minLength: 1 }),
    /** Longest wait for the next byte of an answer. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
]);
export type ModelSettings = Static<typeof ModelSettings>;

/** A longer chain would be asked for longer than anybody waits. */
const MAX_FALLBACKS = 3;

const NamedPath = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }),
  path: Type.String({ minLength: 1 }),
});

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The most that may be used; null = no limit. Cost in millionths of the currency of the prices. */
const SpendLimit = Type.Object({
  tokens: nullable(Type.Integer({ minimum: 1 })),
  costMicros: nullable(Type.Integer({ minimum: 1 })),
});
export type SpendLimit = Static<typeof SpendLimit>;

/** What a million tokens cost, in millionths of one currency. */
const Prices = Type.Object({
  inputMicros: Type.Integer({ minimum: 0 }),
  outputMicros: Type.Integer({ minimum: 0 }),
});
export type Prices = Static<typeof Prices>;

/** What a run may use and the rules it is under. Stored as JSON on the configuration row. */
export const ConfigurationSettings = Type.Object({
  model: ModelSettings,
  systemPrompt: Type.String(),
  databases: Type.Array(NamedPath),
  workspaces: Type.Array(NamedPath),
  /** Tools switched off by name. */
  disabledTools: Type.Array(Type.String()),
  /** Tool groups granted; null = all groups. */
  toolGroups: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** Tools granted by name, within their groups; null = all of them. */
  toolNames: nullable(Type.Array(Type.String())),
  /** Rounds of a run that asks for none of its own. */
  maxRounds: Type.Integer({ minimum: 1, maximum: MAX_ROUNDS }),
  /** Tokens that the model takes, question and answer together; null = not known. */
  contextWindow: nullable(Type.Integer({ minimum: 1 })),
  budget: Type.Object({ perRun: SpendLimit, perDay: SpendLimit }),
  /** For a provider that does not say what an answer cost; null = then it is not known. */
  prices: nullable(Prices),
  /** Where the model runs; null = what its address shows. */
  trustZone: nullable(Type.Enum(TRUST_ZONES)),
  /** `observe` = tools beyond the zone are noted and offered; anything else refuses them. */
  zoneEnforcement: Type.String(),
  /** Configurations whose models are asked when this one's cannot be; by name, in order. */
  fallbacks: Type.Array(Type.String(), { maxItems: MAX_FALLBACKS }),
  /** Runs that its server serves at once; null = what is sure to work. */
  concurrency: nullable(Type.Integer({ minimum: 1, maximum: 64 })),
  requireSecondApprover: Type.Boolean(),
  privacy: Type.Enum(PRIVACY_LEVELS),
  /** How long an approved write can be taken back, 0 to 30 000 ms. */
  withdrawWindowMs: Type.Integer({ minimum: 0, maximum: 30_000 }),
  /** How long a run waits for an endpoint that cannot be reached before it fails, in milliseconds. */
  offlineLimitMs: Type.Integer({ minimum: 0 }),
  /** How long a turn waits for a person before its run expires, in milliseconds; null = for ever. */
  decisionLimitMs: nullable(Type.Integer({ minimum: 60_000 })),
});
export type ConfigurationSettings = Static<typeof ConfigurationSettings>;

export interface Configuration {
  id: string;
  /** The name people use for it, unique. */
  identifier: string;
  isActive: boolean;
  settings: ConfigurationSettings;
}

/** What a new configuration is before anybody changed it; only the model has no default. */
export const DEFAULT_SETTINGS: Omit<ConfigurationSettings, 'model'> = {
  systemPrompt:
    'You help an administrator with real data. Read before you propose a change, propose one change at a time, and say plainly what happened.',
  databases: [],
  workspaces: [],
  disabledTools: [],
  toolGroups: null,
  toolNames: null,
  maxRounds: DEFAULT_ROUNDS,
  contextWindow: null,
  budget: { perRun: { tokens: null, costMicros: null }, perDay: { tokens: null, costMicros: null } },
  prices: null,
  trustZone: null,
  zoneEnforcement: 'enforce',
  fallbacks: [],
  concurrency: null,
  requireSecondApprover: false,
  privacy: 'metadata',
  withdrawWindowMs: 3_000,
  offlineLimitMs: OFFLINE_LIMIT_MS,
  decisionLimitMs: null,
};

/** A configuration made new or set up again: rules that were set for it before (second person, privacy, tools) stay. */
export function configured(
  existing: Configuration | null,
  identifier: string,
  wanted: Partial<ConfigurationSettings> & Pick<ConfigurationSettings, 'model'>,
  newId: string,
): Configuration {
  return {
    id: existing?.id ?? newId,
    identifier,
    isActive: existing?.isActive ?? true,
    settings: { ...DEFAULT_SETTINGS, ...existing?.settings, ...wanted },
  };
}

import { Type, type Static } from 'typebox';
import { PRIVACY_LEVELS } from '../../src-shared/vocabulary.ts';
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

const NamedPath = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }),
  path: Type.String({ minLength: 1 }),
});

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
  requireSecondApprover: Type.Boolean(),
  privacy: Type.Enum(PRIVACY_LEVELS),
  /** How long an approved write can be taken back, 0 to 30 000 ms. */
  withdrawWindowMs: Type.Integer({ minimum: 0, maximum: 30_000 }),
  /** How long a run waits for an endpoint that cannot be reached before it fails, in milliseconds. */
  offlineLimitMs: Type.Integer({ minimum: 0 }),
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
  requireSecondApprover: false,
  privacy: 'metadata',
  withdrawWindowMs: 3_000,
  offlineLimitMs: OFFLINE_LIMIT_MS,
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

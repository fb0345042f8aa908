import { Type } from 'typebox';
import { ConfigurationView } from '../../views/configuration-view.ts';
import { ModelTestView } from '../../views/model-test-view.ts';
import { command, exactly, Nothing, query, topic } from '../entry.ts';
import { formText, RunId } from './common.ts';

const Named = exactly({ name: formText(200), path: formText(4_096) });

/** A key typed by the person: it goes to the host and never comes back. `keep` = the stored one stays. */
const Key = Type.Union([
  exactly({ kind: Type.Literal('keep') }),
  exactly({ kind: Type.Literal('none') }),
  exactly({ kind: Type.Literal('new'), key: formText(4_096) }),
]);

const endpoint = { baseUrl: formText(2_048), modelId: formText(512), key: Key };

/** Models and what their runs may work on. */
export const configurations = {
  'configurations.list': query({ input: Nothing, output: Type.Array(ConfigurationView) }),
  /** Connects a model under a new name, or changes the configuration with this id. */
  'configurations.connect': command({
    input: exactly({
      configurationId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
      identifier: formText(200),
      ...endpoint,
      systemPrompt: formText(100_000),
      databases: Type.Array(Named, { maxItems: 50 }),
      workspaces: Type.Array(Named, { maxItems: 50 }),
    }),
    output: ConfigurationView,
    refusals: ['invalid_request', 'operator_unavailable', 'not_administrator', 'configuration_gone', 'store_busy'],
  }),
  /** Asks the model one short question and says what really came of it. With an id, `keep` uses the stored key of that configuration at its own address. */
  'configurations.testModel': command({
    input: exactly({ configurationId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]), ...endpoint }),
    output: ModelTestView,
    refusals: ['invalid_request', 'operator_unavailable', 'not_administrator', 'configuration_gone', 'no_worker'],
  }),
  /** Builds the sample site with its configurations where they are missing, and starts the first run on it. */
  'configurations.trySample': command({
    input: Nothing,
    output: exactly({ runId: RunId }),
    refusals: [
      'invalid_request',
      'operator_unavailable',
      'not_administrator',
      'configuration_gone',
      'configuration_inactive',
      'store_busy',
    ],
  }),
  'configurations.changed': topic(Nothing),
} as const;

import type { ModelSettings } from '../domain/configuration.ts';
import type { ModelClient } from '../domain/model-client.ts';
import type { ModelDependencies } from './model-dependencies.ts';
import { createOpenAiCompatibleClient } from './openai-compatible-client.ts';
import { createScriptedClient } from './scripted-client.ts';

/**
 * The client a configuration asks for. Makes nothing and opens nothing: settings
 * that cannot work show when the model is asked, as a `ModelError` of class
 * `configuration`, so that a bad configuration can still be listed and repaired.
 */
export function createModelClient(
  settings: ModelSettings,
  secrets: { apiKey: string | null },
  dependencies: ModelDependencies,
): ModelClient {
  switch (settings.kind) {
    case 'scripted':
      return createScriptedClient({ scenarioPath: settings.scenarioPath }, dependencies);
    case 'openai_compatible':
      return createOpenAiCompatibleClient(
        {
          baseUrl: settings.baseUrl,
          modelId: settings.modelId,
          apiKey: secrets.apiKey,
          timeoutMs: settings.timeoutMs,
        },
        dependencies,
      );
  }
}

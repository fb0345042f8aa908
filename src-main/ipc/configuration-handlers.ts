import type { Handlers } from '../../src-shared/ipc/contract.ts';
import { accepted, type Result } from '../../src-shared/refusals.ts';
import type { ConfigurationView } from '../../src-shared/views/configuration-view.ts';
import type { Actor } from '../domain/actor.ts';
import type { RunRecord } from '../domain/run.ts';
import { trustZoneOf, withheldGroups } from '../domain/trust-zone.ts';
import type { Configurations, ListedConfiguration } from '../runtime/configurations.ts';

type ConfigurationHandlers = Pick<Handlers, Extract<keyof Handlers, `configurations.${string}`>>;

export interface ConfigurationDesk {
  configurations: Configurations;
  trySample(actor: Actor): Promise<Result<RunRecord>>;
}

/** Models and what their runs may work on, for one signed-in person. A key goes in and never comes out. */
export function createConfigurationHandlers(desk: ConfigurationDesk, actor: Actor): ConfigurationHandlers {
  const { configurations, trySample } = desk;
  return {
    'configurations.list': async () => (await configurations.list(actor)).map(configurationView),
    async 'configurations.connect'(wanted) {
      const connected = await configurations.connect(actor, wanted);
      return connected.ok ? accepted(configurationView(connected.value)) : connected;
    },
    'configurations.testModel': (wanted) => configurations.testModel(actor, wanted),
    async 'configurations.trySample'() {
      const started = await trySample(actor);
      return started.ok ? accepted({ runId: started.value.id }) : started;
    },
  };
}

function configurationView({ configuration, hasKey, scenario }: ListedConfiguration): ConfigurationView {
  const { id, identifier, isActive, settings } = configuration;
  const { model, systemPrompt, databases, workspaces, requireSecondApprover } = settings;
  return {
    id,
    identifier,
    isActive,
    model:
      model.kind === 'scripted'
        ? { kind: 'scripted', ...scenario }
        : { kind: 'openai_compatible', baseUrl: model.baseUrl, modelId: model.modelId, hasKey },
    systemPrompt,
    databases,
    workspaces,
    requiresSecondApprover: requireSecondApprover,
    zone: trustZoneOf(settings),
    withheld: withheldGroups(settings),
  };
}

/*
 * What people do with configurations: list them, connect a model, ask whether it
 * answers. Who may is judged here on live rows; files, keys and worker processes come
 * in as ports.
 */
import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import type { ModelTestView } from '../../src-shared/views/model-test-view.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { Configuration, ModelSettings } from '../domain/configuration.ts';
import type { ConfigureInput, Configured } from '../domain/configure-rules.ts';
import {
  administratorBar,
  endpointProblems,
  modelOf,
  type EndpointInput,
  type KeyChange,
  type PlaceFact,
} from '../domain/connect-rules.ts';
import type { RunStore } from '../store/run-store.ts';

export interface NamedPlace {
  name: string;
  path: string;
}

/** What a person enters to connect a model. `systemPrompt` null = as it is. */
export interface ConnectRequest extends EndpointInput {
  configurationId: string | null;
  identifier: string;
  systemPrompt: string | null;
  databases: NamedPlace[];
  workspaces: NamedPlace[];
}

/** A configuration as a person wants it, whole; `settings` may come from a file and are judged. */
export type ConfigureRequest = Pick<ConfigureInput, 'configurationId' | 'identifier' | 'isActive' | 'settings'>;

/** A configuration with what a list says of it beside its settings. */
export interface ListedConfiguration {
  configuration: Configuration;
  hasKey: boolean;
  /** Of a scripted model; empty texts otherwise, and when its file cannot be read. */
  scenario: { name: string; example: string };
}

export interface ConfigurationPorts {
  store: RunStore;
  clock: Clock;
  newId(): string;
  lookAt(place: NamedPlace, kind: 'file' | 'folder'): PlaceFact;
  describeScenario(path: string): Promise<{ name: string; example: string }>;
  /** The stored key, opened. Null also when it cannot be opened: it has to be entered again. */
  apiKey(configuration: Configuration): string | null;
  /** Asks a worker to ask the model; null = no worker is there to do it. */
  probeModel(model: ModelSettings, apiKey: string | null): Promise<ModelTestView | null>;
}

export class Configurations {
  readonly #ports: ConfigurationPorts;

  constructor(ports: ConfigurationPorts) {
    this.#ports = ports;
  }

  /** All of them by name, for people who may use the installation; nobody else gets any. */
  async list(actor: Actor): Promise<ListedConfiguration[]> {
    const { store } = this.#ports;
    const operator = await store.operator(operatorIdOf(actor));
    if (!operator?.isEnabled) return [];
    return Promise.all((await store.configurations()).map((configuration) => this.#listed(configuration)));
  }

  /** Connects or changes a model. Refuses: see `connectConfiguration`; store_busy. */
  async connect(actor: Actor, wanted: ConnectRequest): Promise<Result<ListedConfiguration>> {
    const { store, clock, newId, lookAt } = this.#ports;
    // Judged before any path is looked at: who may not connect learns nothing of the file system.
    const barred = administratorBar(await store.operator(operatorIdOf(actor)), actor);
    if (barred) return barred;
    const input = {
      ...wanted,
      actor,
      newId: newId(),
      databases: wanted.databases.map((place) => lookAt(place, 'file')),
      workspaces: wanted.workspaces.map((place) => lookAt(place, 'folder')),
    };
    const connected = await store.connectConfiguration(input, clock.nowMs());
    return connected.ok ? accepted(await this.#listed(connected.value)) : connected;
  }

  /**
   * Changes one, or makes one of its whole description; the key is not part of it.
   * Refuses: see `configureConfiguration`; store_busy.
   */
  async configure(actor: Actor, wanted: ConfigureRequest): Promise<Result<Configured>> {
    const { store, clock, newId, lookAt } = this.#ports;
    const barred = administratorBar(await store.operator(operatorIdOf(actor)), actor);
    if (barred) return barred;
    const places = (list: 'databases' | 'workspaces', kind: 'file' | 'folder'): PlaceFact[] =>
      namedPlaces(wanted.settings, list).map((place) => lookAt(place, kind));
    const input = {
      ...wanted,
      actor,
      newId: newId(),
      databases: places('databases', 'file'),
      workspaces: places('workspaces', 'folder'),
    };
    return store.configureConfiguration(input, clock.nowMs());
  }

  /**
   * Asks the model one question. A stored key is used only at the address it was stored for.
   * Refuses: operator_unavailable, not_administrator, configuration_gone, invalid_request, no_worker.
   */
  async testModel(
    actor: Actor,
    wanted: EndpointInput & { configurationId: string | null },
  ): Promise<Result<ModelTestView>> {
    const { store, probeModel } = this.#ports;
    const barred = administratorBar(await store.operator(operatorIdOf(actor)), actor);
    if (barred) return barred;
    const { configurationId } = wanted;
    const existing = configurationId === null ? null : await store.configuration(configurationId);
    if (configurationId !== null && !existing) return refused({ kind: 'configuration_gone', configuration: '' });
    const hasKey = existing !== null && (await store.hasApiKey(existing.id));
    const problems = endpointProblems(wanted, existing, hasKey);
    if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
    const tested = await probeModel(modelOf(wanted, existing), this.#keyFor(wanted.key, existing));
    return tested ? accepted(tested) : refused({ kind: 'no_worker' });
  }

  #keyFor(key: KeyChange, existing: Configuration | null): string | null {
    if (key.kind === 'new') return key.key.trim();
    return key.kind === 'keep' && existing ? this.#ports.apiKey(existing) : null;
  }

  async #listed(configuration: Configuration): Promise<ListedConfiguration> {
    const { store, describeScenario } = this.#ports;
    const { model } = configuration.settings;
    return {
      configuration,
      hasKey: await store.hasApiKey(configuration.id),
      scenario: model.kind === 'scripted' ? await describeScenario(model.scenarioPath) : { name: '', example: '' },
    };
  }
}

/** The places named in settings that nobody has judged yet; what is no place is left to the rule. */
function namedPlaces(settings: unknown, list: 'databases' | 'workspaces'): NamedPlace[] {
  const found = typeof settings === 'object' && settings !== null && list in settings ? settings[list as never] : null;
  return Array.isArray(found) ? (found as unknown[]).filter(isNamedPlace) : [];
}

const isNamedPlace = (value: unknown): value is NamedPlace =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'path' in value &&
  typeof value.path === 'string';

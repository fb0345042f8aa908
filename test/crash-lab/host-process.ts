import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LabAnswer, LabOrder } from './lab-host.ts';

/** The host was killed while somebody waited for its answer. */
export class HostDied extends Error {
  constructor(consequence = '') {
    super(`The host died before it answered.${consequence}`);
    this.name = 'HostDied';
  }
}

/** How a host of the lab is started. */
export interface HostSetting {
  /** The bundle of lab-host.ts. */
  hostEntry: string;
  databasePath: string;
  workers: number;
  /** As `COUNTERSIGN_CRASH_POINT`; empty = nobody dies. */
  crashPoint: string;
  clockFile: string;
}

/** A host with its workers, seen from outside. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (answer: LabAnswer) => void; reject: (error: Error) => void }>();
  readonly #ended: Promise<unknown>;
  #orders = 0;
  isAlive = true;

  private constructor(setting: HostSetting) {
    const { COUNTERSIGN_CRASH_POINT: _crash, NODE_OPTIONS: _options, ...environment } = process.env;
    this.#child = fork(setting.hostEntry, [setting.databasePath, `${setting.workers}`], {
      execArgv: [],
      // What a dying family writes to standard error belongs to the experiment.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        ...environment,
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href}`,
        COUNTERSIGN_LAB_CLOCK: setting.clockFile,
        // The lab fills a disk on purpose: what counts is a write that fails, not the care taken before.
        COUNTERSIGN_DISK_FLOOR_MB: '0',
        ...(setting.crashPoint ? { COUNTERSIGN_CRASH_POINT: setting.crashPoint } : {}),
      },
    });
    this.#child.on('message', (message: 'open' | { number: number; answer: LabAnswer }) => {
      if (message === 'open') return;
      this.#waiting.get(message.number)?.resolve(message.answer);
      this.#waiting.delete(message.number);
    });
    // What it said before it died is read first: the end of the channel comes behind it.
    this.#ended = Promise.all([once(this.#child, 'exit'), once(this.#child, 'disconnect')]).then(() => {
      this.isAlive = false;
      for (const { reject } of this.#waiting.values()) reject(new HostDied());
      this.#waiting.clear();
    });
  }

  /** Starts a host; resolves when it has opened the file. Faults: when it ends before that. */
  static async start(setting: HostSetting): Promise<HostProcess> {
    const host = new HostProcess(setting);
    await Promise.race([
      once(host.#child, 'message'),
      host.#ended.then(() => {
        throw new Error('The host ended before it had opened the file.');
      }),
    ]);
    return host;
  }

  /** Has the person do something. Faults: `HostDied`. */
  order(order: LabOrder): Promise<LabAnswer> {
    this.#orders += 1;
    const number = this.#orders;
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return reject(new HostDied());
      this.#waiting.set(number, { resolve, reject });
      // A channel that closes meanwhile is told by the end of the process.
      this.#child.send({ number, order }, () => undefined);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async say(order: LabOrder): Promise<string> {
    const answer = await this.order(order);
    return 'said' in answer ? answer.said : '';
  }

  async workers(): Promise<Extract<LabAnswer, { workers: unknown }>['workers']> {
    const answer = await this.order({ do: 'workers' });
    return 'workers' in answer ? answer.workers : [];
  }

  /** SIGKILL to the host alone; its workers find out by themselves. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Lets the whole family end in good order. */
  async stop(): Promise<void> {
    if (!this.isAlive) return;
    await this.say({ do: 'stop' }).catch((error: unknown) => {
      if (!(error instanceof HostDied)) throw error;
    });
    await this.#ended;
  }
}

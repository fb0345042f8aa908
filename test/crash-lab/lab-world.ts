import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConsole, verifyInstallation, type Console } from '../../src-main/compose.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import { openSqlite, type SqliteConnection } from '../../src-main/system/open-sqlite.ts';
import { SETTINGS } from '../support/store.ts';
import { HostDied, HostProcess } from './host-process.ts';
import type { EndState } from './rows.ts';
import { enteredAs, namesOf, scenarioOf, type turnsOf } from './scripts.ts';

/** The pool of a host, as a window has it. */
export const WORKERS = 2;
/** Records of the target, one for each run. */
const ITEMS = 40;

export interface LabSetting {
  /** The bundle of a host with its workers beside it; see `bundleLab`. */
  hostEntry: string;
  /** Where processes die, one after the other, each once. */
  deaths: CrashPoint[];
  workers?: number;
  /** Where the installation lies; made and removed by the world. Default: a temporary folder. */
  dataFolder?: string;
}

/**
 * An installation with a host and workers of its own, a target that counts every
 * effect by triggers, and a clock of its own. This process only looks: everything
 * that is decided or done happens in the host and in its workers.
 */
export class LabWorld {
  readonly folder: string;
  readonly databasePath: string;
  readonly targetPath: string;
  /** For looking, with the sources of this checkout. */
  readonly opened: Console;
  host!: HostProcess;
  readonly #setting: LabSetting;
  readonly #configurationId = randomUUID();
  #offsetMs = 0;
  #items = 0;

  private constructor(setting: LabSetting) {
    this.#setting = setting;
    this.folder = mkdtempSync(join(tmpdir(), 'countersign-lab-'));
    const dataFolder = setting.dataFolder ?? join(this.folder, 'console');
    mkdirSync(dataFolder, { recursive: true });
    this.databasePath = join(dataFolder, 'countersign.db');
    this.targetPath = join(this.folder, 'target.db');
    makeTarget(this.targetPath);
    this.shiftClock(0);
    this.disarm();
    this.opened = openConsole(this.databasePath);
  }

  static async open(setting: LabSetting): Promise<LabWorld> {
    const world = new LabWorld(setting);
    const { store } = world.opened.installation;
    const configuration = {
      id: world.#configurationId,
      identifier: 'lab',
      isActive: true,
      settings: {
        ...SETTINGS,
        model: { kind: 'scripted' as const, scenarioPath: join(world.folder, 'scenario.json') },
        databases: [{ name: 'target', path: world.targetPath }],
      },
    };
    await store.saveConfiguration(configuration, null, Date.now());
    await world.startHost();
    return world;
  }

  async startHost(workers?: number): Promise<void> {
    this.host = await this.anotherHost(workers);
  }

  /** One more host on the same file, for the caller to stop. */
  anotherHost(workers = this.#setting.workers ?? WORKERS): Promise<HostProcess> {
    const { hostEntry, deaths } = this.#setting;
    const crashPoint = deaths.map((point, index) => `${point}:${this.#markers[index]}`).join(',');
    const clockFile = this.#clockFile;
    return HostProcess.start({ hostEntry, databasePath: this.databasePath, workers, crashPoint, clockFile });
  }

  get #markers(): string[] {
    return this.#setting.deaths.map((_, index) => join(this.folder, `crashed-${index}`));
  }

  get #clockFile(): string {
    return join(this.folder, 'clock');
  }

  /** From now on the first process that reaches the point dies, then the first that reaches the next one. */
  arm(): void {
    for (const marker of this.#markers) rmSync(marker, { force: true });
  }

  /** The last first: what is ahead of its turn kills nobody. */
  disarm(): void {
    for (const marker of this.#markers.toReversed()) writeFileSync(marker, '');
  }

  /** Whether a process has died at each point since they were armed. */
  hasHit(): boolean {
    return this.#markers.every((marker) => existsSync(marker));
  }

  /** The number of a record that no other run touches. */
  nextItem(): number {
    if (this.#items >= ITEMS) throw new Error('The target has no record left.');
    return (this.#items += 1);
  }

  /** What the model says from its next question on. Replaced in one step, because a worker may be reading. */
  setTurns(turns: ReturnType<typeof turnsOf>): void {
    writeFileSync(join(this.folder, 'scenario.next'), scenarioOf(turns));
    renameSync(join(this.folder, 'scenario.next'), join(this.folder, 'scenario.json'));
  }

  nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Moves the wall clock of host and workers; theirs alone. */
  shiftClock(byMs: number): void {
    this.#offsetMs += byMs;
    const next = join(this.folder, 'clock.next');
    writeFileSync(next, String(this.#offsetMs));
    renameSync(next, this.#clockFile);
  }

  /** Stores a run through the host; the label finds it again when the host dies over it. */
  async enqueue(label: string, host = this.host): Promise<string> {
    const order = { do: 'enqueue', configurationId: this.#configurationId, label } as const;
    const said = await host.say(order).catch(() => 'died');
    if (said !== 'died') return said;
    const row = this.opened.installation.statements.get('select id from runs where label = ?').pluck().get(label);
    if (typeof row !== 'string') throw new HostDied(' The run is not stored.');
    return row;
  }

  async run(runId: string): Promise<RunRecord> {
    const run = await this.opened.installation.store.run(runId);
    if (!run) throw new Error(`There is no run ${runId}.`);
    return run;
  }

  async kinds(runId: string): Promise<string[]> {
    return (await this.opened.installation.store.events(runId, -1, null)).map(({ kind }) => kind);
  }

  /** Reads or changes the target by another hand than a tool's. */
  target<T>(use: (connection: SqliteConnection) => T): T {
    const connection = openSqlite(this.targetPath, { busyTimeoutMs: 5_000 });
    try {
      return use(connection);
    } finally {
      connection.close();
    }
  }

  /** How a run stands, as the table of a row names it. */
  async endState(runId: string, item: number): Promise<EndState> {
    const run = await this.run(runId);
    const kinds = await this.kinds(runId);
    const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
    const { store } = this.opened.installation;
    const uncertain = await store.uncertainWrites();
    const lastWords = (await store.result(runId))?.answer ?? '';
    return {
      status: run.status,
      endReason: run.endReason,
      effects: this.target((connection) =>
        Number(
          connection
            .prepare('select count(*) from log where name in (?, ?)')
            .pluck()
            .get(...namesOf(item)),
        ),
      ),
      recorded: count('tool_write'),
      // A card that came back is shown again, which is an event of the same kind.
      cards: count('suspended'),
      decisions: count('approval') + count('input'),
      answers: namesOf(item).filter((name) => lastWords.includes(JSON.stringify(enteredAs(name)))).length,
      uncertain: uncertain.filter((write) => write.runId === runId).length,
    };
  }

  chainProblems(): string[] {
    return verifyInstallation(this.opened).problems.map(({ where, problem }) => `${where}: ${problem}`);
  }

  async dispose(): Promise<void> {
    await this.host.stop();
    this.opened.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function makeTarget(path: string): void {
  const connection = openSqlite(path);
  connection.exec(`
    create table items (id integer primary key, name text not null);
    create table log (id integer primary key, name text not null);
    insert into items (id, name)
      with recursive number(n) as (select 1 union all select n + 1 from number where n < ${ITEMS}) select n, 'old' from number;
    create trigger inserted after insert on items begin insert into log (name) values (new.name); end;
    create trigger updated after update on items begin insert into log (name) values (new.name); end;
  `);
  connection.close();
}

import { deleteProject, liveProjects } from '../../../src/simulator/model/account.ts';
import { cpuUsedSecondsEver } from '../../../src/simulator/model/endpoint.ts';
import { progressAt } from '../../../src/simulator/model/operation.ts';
import { liveEndpoints, type SimulatedProject } from '../../../src/simulator/model/project.ts';
import type { BillCase, CaseProject } from '../../oracle/bill-case.ts';
import { LivedHistory } from '../../support/lived-history.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** A midnight of UTC at which the watching begins. */
export const watchedFromAt = Date.UTC(2026, 9, 5);
/** Until the morning of the sixth day. */
const watchedHours = 129;
/** One project is deleted right after it was read. */
const deletedAfterHours = 60;

export const accounts = ['main', 'side'] as const;
export type AccountName = (typeof accounts)[number];

/** A stretch of time; epoch milliseconds. */
export interface Stretch {
  readonly fromAt: number;
  readonly untilAt: number;
}

export interface TrueProject extends CaseProject {
  readonly account: AccountName;
  readonly name: string;
  readonly region: string;
  readonly created_at: number;
}

interface TrueOperation {
  readonly account: AccountName;
  readonly project: string;
  readonly action: string;
  readonly status: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Two accounts that are watched every full hour, and what they did by the simulator's own counts. */
export class TrueFleet implements Disposable {
  readonly #lives: ReadonlyMap<AccountName, LivedHistory>;
  readonly #main: LivedHistory;
  readonly #deletedAt = new Map<string, number>();
  /** CU-milliseconds that were used within an hour that begins at `at`. */
  readonly use: BillCase['use'][number][] = [];

  /** @param showcase whether there are projects beside that each use compute for another reason worth finding. */
  constructor(seed: number, showcase: boolean) {
    const past = { now: watchedFromAt / 1000, historyDays: 2, plan: 'paid' } as const;
    this.#main = new LivedHistory({ ...past, seed, projects: 5, showcase, accounts });
    const beside = { name: 'side', within: this.#main } as const;
    const side = new LivedHistory({ ...past, ...beside, seed: seed + 100, projects: 3, apiKey: 'other' });
    this.#lives = new Map<AccountName, LivedHistory>([
      ['main', this.#main],
      ['side', side],
    ]);
    this.#read();
    for (let hour = 0; hour < watchedHours; hour += 1) this.#liveHour(hour);
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#main.now;
  }

  get file(): string {
    return this.#main.folder.file;
  }

  get projects(): readonly TrueProject[] {
    return this.#all().map(([account, { id, name, regionId, createdAt }]) => {
      const deleted_at = this.#deletedAt.get(id);
      const life = { created_at: createdAt * 1000, ...(deleted_at !== undefined && { deleted_at }) };
      return { ...{ id, account, name, region: regionId }, ...life };
    });
  }

  /** Operations as they were last read: those of a deleted project as it was deleted. */
  get operations(): readonly TrueOperation[] {
    return this.#all().flatMap(([account, project]) => {
      const at = (this.#deletedAt.get(project.id) ?? this.now) / 1000;
      return project.operations
        .map(operation => ({ ...operation, ...progressAt(operation, this.now / 1000) }))
        .filter(({ createdAtMicros }) => createdAtMicros < at * 1e6)
        .map(({ action, status, updatedAt, createdAtMicros }) => ({
          ...{ account, project: project.id, action, status },
          ...{ createdAt: createdAtMicros / 1000, updatedAt: updatedAt * 1000 },
        }));
    });
  }

  /** Endpoints that are there, by account and state. */
  get states(): ReadonlyMap<string, number> {
    const states = this.#all()
      .filter(([, project]) => project.deletedAt === undefined)
      .flatMap(([account, project]) => liveEndpoints(project).map(({ state }) => `${account} ${state}`));
    return new Map(
      [...Map.groupBy(states, state => state)].map(([state, members]) => [state, members.length]),
    );
  }

  get keys() {
    return [...this.#lives].flatMap(([account, life]) =>
      life.account.keys.list().map(key => ({ account, ...key })),
    );
  }

  /** CU-milliseconds that projects used. */
  usedIn({ fromAt, untilAt }: Stretch, isMeant: (project: string) => boolean): number {
    return this.use
      .filter(({ project, at }) => isMeant(project) && at >= fromAt && at < untilAt)
      .reduce((sum, { cu_ms }) => sum + cu_ms, 0);
  }

  [Symbol.dispose](): void {
    this.#main[Symbol.dispose]();
  }

  #all(): (readonly [AccountName, SimulatedProject])[] {
    return [...this.#lives].flatMap(([name, { account }]) =>
      [...account.projects.values()]
        // Projects that came and went before the watching began are not known.
        .filter(({ deletedAt }) => deletedAt === undefined || deletedAt * 1000 > watchedFromAt)
        .map(project => [name, project] as const),
    );
  }

  #liveHour(hour: number): void {
    const before = new Map(this.#all().map(([, project]) => [project.id, cpuUsedSecondsEver(project)]));
    for (const life of this.#lives.values()) life.miss(hourMs / 1000);
    this.#read();
    const at = watchedFromAt + hour * hourMs;
    for (const [, project] of this.#all()) {
      const cu_ms = 1000 * (cpuUsedSecondsEver(project) - (before.get(project.id) ?? 0));
      if (cu_ms > 0) this.use.push({ project: project.id, at, cu_ms });
    }
    if (hour === deletedAfterHours) this.#deleteOne();
  }

  #read(): void {
    for (const life of this.#lives.values()) {
      life.readLists();
      life.readProjects();
    }
  }

  #deleteOne(): void {
    const [first] = liveProjects(this.#main.account);
    if (first === undefined) throw new Error('the fleet has no project');
    this.#deletedAt.set(first.id, this.now);
    deleteProject(first);
  }
}

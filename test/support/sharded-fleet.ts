import fc from 'fast-check';
import type { History } from '../../src/history/history.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { findShard } from '../../src/resources/shard.ts';
import { HistoryFolder, viewOf } from './history-folder.ts';
import {
  apiKeysReading,
  day,
  importReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from './reading-builder.ts';
import { samplesOf } from './sample-line.ts';

export const fleetIds = Array.from({ length: 9 }, (_, index) => `prj-${index}`);

/** Families of the account that are of the projects of a shard, and add up; of the others the greatest is true. */
const additive =
  /^dbpm_(account_cpu_used_seconds_total|account_import_projects_left|operation_duration_seconds)/;
/** Figures that rest on what was read before a project moved, which its new shard has not seen. */
const remembered =
  /^dbpm_(project|account)_cpu_used_(seconds|resets)_total|^dbpm_endpoint_state_seconds_total|^dbpm_account_last_project_gone_timestamp/;

/** Daemons of a fleet: one that watches all of it, and one a shard. */
export class ShardedFleet implements Disposable {
  readonly #wholeFolder = new HistoryFolder();
  readonly #folders: HistoryFolder[] = [];
  readonly #read = new Map<History, Reading[]>();
  readonly whole = this.#wholeFolder.open();
  shards: History[] = [];

  constructor(count: number) {
    this.shard(count);
  }

  get wholeFile(): string {
    return this.#wholeFolder.file;
  }

  /** The histories of all shards there ever were, by their numbers. */
  get shardFiles(): readonly string[] {
    return this.#folders.map(({ file }) => file);
  }

  /** Starts every shard anew, on the history of its number where there is one. */
  shard(count: number): void {
    this.write();
    for (const [index, history] of this.shards.entries()) this.#folders[index]?.close(history);
    this.shards = Array.from({ length: count }, (_, index) => {
      const folder = this.#folders[index] ?? new HistoryFolder();
      this.#folders[index] = folder;
      return folder.open({ shard: { index, count }, ...this.#filter(index, count) });
    });
  }

  /** @param loses whether it is killed before it has written what it read last. */
  restart(index: number, loses: boolean): void {
    const killed = this.shards[index];
    if (loses && killed !== undefined) this.#read.delete(killed);
    this.write();
    const shard = this.shards[index];
    const folder = this.#folders[index];
    if (shard === undefined || folder === undefined) return;
    const count = this.shards.length;
    this.shards[index] = folder.reopen(shard, { shard: { index, count }, ...this.#filter(index, count) });
  }

  /** Has a reading of a project recorded by the daemons that watch it. */
  record(id: string, reading: Reading): void {
    this.#keep(this.whole, reading);
    this.#keep(this.#ownerOf(id), reading);
  }

  /** Has a list recorded by every daemon, with the projects it watches. */
  recordList(make: (isMeant: (id: string) => boolean) => Reading): void {
    this.#keep(
      this.whole,
      make(() => true),
    );
    for (const shard of this.shards)
      this.#keep(
        shard,
        make(id => this.#ownerOf(id) === shard),
      );
  }

  /** Has a list of the account recorded by the daemons that read it. */
  recordKeys(reading: Reading): void {
    for (const history of [this.whole, this.shards[0]]) this.#keep(history, reading);
  }

  /** Writes what was read since, with one commit a history. */
  write(): void {
    for (const [history, readings] of this.#read) {
      for (const recorded of history.commit(readings)) if ('error' in recorded) throw recorded.error;
    }
    this.#read.clear();
  }

  #keep(history: History | undefined, reading: Reading): void {
    if (history !== undefined) this.#read.set(history, [...(this.#read.get(history) ?? []), reading]);
  }

  #ownerOf(id: string): History | undefined {
    return this.shards[findShard(id, this.shards.length)];
  }

  #filter(index: number, count: number) {
    return { projects: new Map([['main', { include: ['*'], exclude: [], shard: { index, count } }]]) };
  }

  [Symbol.dispose](): void {
    for (const folder of [this.#wholeFolder, ...this.#folders]) folder[Symbol.dispose]();
  }
}

/** Every series once, as Prometheus adds them up. */
export function seriesOf(histories: readonly History[], now: number): Map<string, number> {
  const lines = new Map<string, number>();
  for (const history of histories) {
    for (const { series, value } of samplesOf(viewOf(history, now))) {
      const before = lines.get(series);
      if (before !== undefined && /project_id|key_id/.test(series))
        throw new Error(`${series} is shown twice`);
      const isSum = additive.test(series);
      lines.set(series, isSum ? (before ?? 0) + value : Math.max(before ?? value, value));
    }
  }
  return lines;
}

export const fleetStep = fc.oneof(
  fc.record({ kind: fc.constant('list'), gone: fc.subarray(fleetIds, { maxLength: 2 }), used: fc.nat(50) }),
  fc.record({
    kind: fc.constant('poll'),
    id: fc.constantFrom(...fleetIds),
    awake: fc.boolean(),
    ended: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('kill'), index: fc.nat(6), loses: fc.boolean() }),
);

type Step = typeof fleetStep extends fc.Arbitrary<infer Each> ? Each : never;

/** Makes the readings of a fleet that changes. */
export class FleetLife {
  readonly #fleet: ShardedFleet;
  readonly #operations = new Map(fleetIds.map(id => [id, [wireOperation(`${id}-0`)]]));
  #listed: readonly string[] = fleetIds;
  #used = 100;
  now = startAt;

  readonly #mayLose: boolean;

  /** @param mayLose whether a kill may come before what was read is written. */
  constructor(fleet: ShardedFleet, mayLose: boolean) {
    this.#fleet = fleet;
    this.#mayLose = mayLose;
  }

  /** Reads the list and all that a daemon reads when it starts. */
  readAll(): void {
    this.now += minute;
    this.#readList();
    for (const id of this.#listed) {
      this.#fleet.record(id, importReading(this.now, id, this.#operations.get(id) ?? []));
      this.#readProject(id, false);
    }
    this.#fleet.recordKeys(apiKeysReading(this.now, [wireKey(1), wireKey(2)]));
    this.#fleet.write();
  }

  go(steps: readonly Step[]): void {
    for (const each of steps) {
      this.now += minute;
      if (each.kind === 'kill')
        this.#fleet.restart(each.index % this.#fleet.shards.length, each.loses && this.#mayLose);
      else if (each.kind === 'list') {
        this.#listed = fleetIds.filter(id => !each.gone.includes(id));
        this.#used += each.used;
        this.#readList();
      } else if (this.#listed.includes(each.id)) {
        for (let count = 0; count < each.ended; count += 1) this.#operate(each.id, count === 1);
        this.#readProject(each.id, each.awake);
      }
    }
    this.#fleet.write();
  }

  #operate(id: string, fails: boolean): void {
    const all = this.#operations.get(id) ?? [];
    const times = {
      created_at: instant(this.now - 30 * second),
      updated_at: instant(this.now - 20 * second),
    };
    all.unshift(wireOperation(`${id}-${all.length}`, { ...times, status: fails ? 'failed' : 'finished' }));
  }

  #readList(): void {
    const items = this.#listed.map(id => wireProject(id, { cpu_used_sec: this.#used }));
    this.#fleet.recordList(isMeant =>
      projectsReading(
        this.now,
        items.filter(item => isMeant(String(item.id))),
      ),
    );
  }

  #readProject(id: string, awake: boolean): void {
    const created_at = instant(startAt - day);
    const endpoints = [wireEndpoint('ep-1', { created_at, current_state: awake ? 'active' : 'idle' })];
    const operations = this.#operations.get(id) ?? [];
    this.#fleet.record(id, projectReading(this.now, id, { endpoints, operations }));
  }
}

/** Counters that were lower later, with both values, without counters that rest on what only a former shard saw. */
export function fallenCounters(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly (readonly [series: string, before: number, after: number])[] {
  return [...onlyComparable(before)]
    .filter(([series]) => /^\w+_total\b/.test(series))
    .map(([series, value]) => [series, value, after.get(series) ?? value] as const)
    .filter(([, one, other]) => other < one);
}

/** Series that do not rest on what only the former shard of a project saw. */
export function onlyComparable(series: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...series].filter(([name]) => !remembered.test(name) && !additive.test(name)));
}

import type { Operation } from '../../../src/resources/operation.ts';
import type { Project } from '../../../src/resources/project.ts';
import type { Life } from './simulated-fleet.ts';

interface Cursor {
  index: number;
  onMs: number;
}

/** A fleet as its service tells of it, and how well somebody who reads it is informed; time only goes forward. */
export class SimulatedWorld {
  readonly #lives: readonly Life[];
  readonly #lagMs: number;
  readonly #listed: Cursor[];
  readonly #items: Project[];
  /** How many changes were known when each was last read, and when; the state shown follows from it. */
  readonly #known: Int32Array;
  readonly readAt: Float64Array;
  readonly #warmUpMs: number;
  readonly startDelaysMs: number[] = [];
  readonly stopDelaysMs: number[] = [];
  readonly busyAgesMs: number[] = [];
  readonly idleAgesMs: number[] = [];
  #wrongMs = 0;
  #watchedMs = 0;
  longestIdleMs = 0;

  constructor(lives: readonly Life[], lagMs: number, warmUpMs: number) {
    this.#lives = lives;
    this.#lagMs = lagMs;
    this.#warmUpMs = warmUpMs;
    this.#listed = lives.map(() => ({ index: 0, onMs: 0 }));
    this.#items = lives.map(({ project_id }) => ({ project_id, cpu_used_sec: 0 }) as Project);
    this.#known = new Int32Array(lives.length);
    this.readAt = new Float64Array(lives.length).fill(Number.NaN);
  }

  get wrongPart(): number {
    return this.#wrongMs / this.#watchedMs;
  }

  isFailing(index: number): boolean {
    return this.#lives[index]?.failing ?? false;
  }

  /** A page of the list: `count` projects from `from` on. */
  page(from: number, count: number, now: number): readonly Project[] {
    const page: Project[] = [];
    for (let index = from; index < Math.min(from + count, this.#lives.length); index += 1) {
      page.push(this.#item(index, now - this.#lagMs));
    }
    return page;
  }

  /** How many changes of state there were until `at`. */
  changesUntil(index: number, at: number): number {
    const changes = this.#lives[index]?.changes ?? [];
    let count = this.#known[index] ?? 0;
    while ((changes[count] ?? Number.POSITIVE_INFINITY) <= at) count += 1;
    return count;
  }

  isOn(index: number, changes: number): boolean {
    return (this.#lives[index]?.startsOn ?? false) !== (Math.abs(changes) % 2 === 1);
  }

  /** Changes of state as operations that have ended: those after the first `from` of them. */
  operations(index: number, from: number, until: number, isFirst: boolean): readonly Operation[] {
    const { changes = [], past = [] } = this.#lives[index] ?? {};
    const first = isFirst ? -past.length : from;
    const times = [...(first < 0 ? past : []), ...changes.slice(from, until)];
    return times.map((at, offset) => ({
      operation_id: `${index}-${first + offset}`,
      action: this.isOn(index, first + offset + 1) ? 'start_compute' : 'suspend_compute',
      status: 'finished',
      created_at: Math.floor(at / 1000) * 1000,
      updated_at: Math.floor(at / 1000) * 1000,
    })) as Operation[];
  }

  knownChanges(index: number): number {
    return this.#known[index] ?? 0;
  }

  /** Somebody has read, at `now`, everything up to a number of changes. */
  read(index: number, changes: number, now: number): void {
    const before = this.readAt[index] ?? Number.NaN;
    if (!Number.isNaN(before)) this.#account(index, Math.max(before, this.#warmUpMs), now);
    const times = this.#lives[index]?.changes ?? [];
    if (!Number.isNaN(before)) {
      for (let count = this.#known[index] ?? 0; count < changes; count += 1) {
        const at = times[count] ?? 0;
        if (at < this.#warmUpMs) continue;
        (this.isOn(index, count + 1) ? this.startDelaysMs : this.stopDelaysMs).push(now - at);
      }
    }
    this.#known[index] = changes;
    this.readAt[index] = now;
  }

  /** Takes the ages of all readings that show what is; what they do not show is counted as wrong. */
  sample(now: number): void {
    if (now < this.#warmUpMs) return;
    for (let index = 0; index < this.#lives.length; index += 1) {
      if (this.isFailing(index)) continue;
      const age = now - (this.readAt[index] ?? 0);
      if (this.changesUntil(index, now) !== this.knownChanges(index)) continue;
      if (this.isOn(index, this.knownChanges(index))) this.busyAgesMs.push(age);
      else this.idleAgesMs.push(age);
    }
  }

  /** Ends the account of what was shown wrongly, and of what was not noticed at all. */
  end(now: number): void {
    for (let index = 0; index < this.#lives.length; index += 1) {
      if (!this.isFailing(index)) this.read(index, this.changesUntil(index, now), now);
    }
  }

  #account(index: number, from: number, until: number): void {
    const times = this.#lives[index]?.changes ?? [];
    const known = this.#known[index] ?? 0;
    this.#watchedMs += Math.max(0, until - from);
    for (let count = known + 1; (times[count - 1] ?? Number.POSITIVE_INFINITY) < until; count += 2) {
      const begin = Math.max(from, times[count - 1] ?? 0);
      const end = Math.min(until, times[count] ?? until);
      if (end > begin) this.#wrongMs += end - begin;
    }
  }

  #item(index: number, at: number): Project {
    const { changes = [], startsOn = false, project_id = '' } = this.#lives[index] ?? {};
    const cursor = this.#listed[index] ?? { index: 0, onMs: 0 };
    const beginOf = (count: number) => (count === 0 ? 0 : (changes[count - 1] ?? 0));
    while ((changes[cursor.index] ?? Number.POSITIVE_INFINITY) <= at) {
      const isOn = startsOn !== (cursor.index % 2 === 1);
      if (isOn) cursor.onMs += (changes[cursor.index] ?? 0) - beginOf(cursor.index);
      cursor.index += 1;
    }
    const isOn = startsOn !== (cursor.index % 2 === 1);
    const onMs = cursor.onMs + (isOn ? Math.max(0, at - beginOf(cursor.index)) : 0);
    const cpu_used_sec = Math.floor(onMs / 1000);
    const item = this.#items[index];
    if (item?.cpu_used_sec === cpu_used_sec) return item;
    const grown = { project_id, cpu_used_sec } as Project;
    this.#items[index] = grown;
    return grown;
  }
}

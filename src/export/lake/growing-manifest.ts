import { valueKinds } from '../../report/format/value-kind.ts';
import { type Manifest, manifestPath, type WrittenDay } from './manifest.ts';
import { lakeTables } from './table/lake-table-list.ts';
import { writeWholeFile } from './whole-file.ts';

/** The next writing waits this many times as long as the last one took: with years of days each takes long. */
const restFactor = 20;

/** The manifest of a folder that days are added to. */
export class GrowingManifest {
  readonly #folder: string;
  readonly #head: string;
  /** By account and day. */
  readonly #lines: Map<string, string>;
  readonly #now: () => number;
  #isBehind = false;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never steps. */
  constructor(folder: string, { days, ...terms }: Manifest, now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#head = JSON.stringify({ ...terms, tables: describeTables() }, null, 2).replace(/\n}$/, '');
    this.#lines = new Map(days.map(day => [keyOf(day), renderDay(day)]));
    this.#now = now;
  }

  /** Whether a day is in it, written or not yet. */
  has(day: Pick<WrittenDay, 'account' | 'day'>): boolean {
    return this.#lines.has(keyOf(day));
  }

  /**
   * Adds a day whose files are all there; it is written with one of the next, or when it is saved.
   *
   * @throws Failure when it cannot be written.
   */
  add(day: WrittenDay): void {
    const key = keyOf(day);
    this.#lines.delete(key);
    this.#lines.set(key, renderDay(day));
    this.#isBehind = true;
    if (this.#now() >= this.#nextAt) this.save();
  }

  /** @throws Failure when what was added cannot be written. */
  save(): void {
    if (!this.#isBehind) return;
    const beganAt = this.#now();
    const lines = [...this.#lines.values()].join(',\n');
    writeWholeFile(manifestPath(this.#folder), `${this.#head},\n  "days": [\n${lines}\n  ]\n}\n`);
    this.#isBehind = false;
    const endedAt = this.#now();
    this.#nextAt = endedAt + restFactor * (endedAt - beganAt);
  }
}

function keyOf({ account, day }: Pick<WrittenDay, 'account' | 'day'>): string {
  return JSON.stringify([account, day]);
}

function renderDay(day: WrittenDay): string {
  return `    ${JSON.stringify(day)}`;
}

function describeTables() {
  return Object.fromEntries(
    lakeTables.map(({ name, columns }) => [
      name,
      Object.fromEntries(columns.map(({ key, kind }) => [key, valueKinds[kind].sql])),
    ]),
  );
}

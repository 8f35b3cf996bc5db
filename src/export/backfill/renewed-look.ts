import type { InstantRow } from '../../resources/backfill.ts';
import type { ExportHistory } from './export-history.ts';
import type { ExportOptions, ReadInstants } from './export-source.ts';
import type { ExportStep } from './export-step.ts';

/**
 * A look at a history that another process writes. As long as one lasts, the write-ahead log of that grows, so another
 * takes its place between stretches: the past that is settled is the same in both.
 */
export class RenewedLook implements Disposable {
  readonly #open: () => ExportHistory;
  readonly #options: ExportOptions;
  #source: ExportHistory;
  #read: ReadInstants;

  /**
   * @param open a further look at the same history.
   * @throws Failure when the options name no metric of it.
   */
  constructor(source: ExportHistory, open: () => ExportHistory, options: ExportOptions) {
    this.#source = source;
    this.#open = open;
    this.#options = options;
    this.#read = source.prepare(options);
  }

  readonly read: ReadInstants = rows => this.#read(rows);

  /**
   * Looks anew. The former look stays where a series would end that did not, such as one with another name by now, or a counter
   * fall.
   *
   * @param rows the instant that was sent last.
   */
  renew(rows: readonly InstantRow[]): void {
    const source = this.#tryOpen();
    if (source === undefined) return;
    try {
      const read = source.prepare(this.#options);
      if (!goesOn(this.#read(rows), read(rows))) return;
      const former = this.#source;
      this.#source = source;
      this.#read = read;
      former[Symbol.dispose]();
    } finally {
      if (this.#source !== source) source[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  /** A further look; undefined where the history cannot be opened now. */
  #tryOpen(): ExportHistory | undefined {
    try {
      return this.#open();
    } catch {
      return undefined;
    }
  }
}

interface Shown {
  readonly name: string;
  readonly mayFall: boolean;
  readonly values: readonly number[];
}

/** Whether each series of one look at an instant is there in another, and no counter is lower; both are in the same order. */
function goesOn(before: Iterable<ExportStep>, after: Iterable<ExportStep>): boolean {
  const others = listShown(after);
  for (const { name, mayFall, values } of listShown(before)) {
    let other = others.next();
    while (!other.done && other.value.name !== name) other = others.next();
    if (other.done) return false;
    const found = other.value.values;
    if (!mayFall && values.some((value, index) => value > (found[index] ?? 0))) return false;
  }
  return true;
}

/** The series that are there at the last of some instants. */
function* listShown(steps: Iterable<ExportStep>): Generator<Shown> {
  let mayFall = true;
  for (const { family, track } of steps) {
    if (family !== undefined) mayFall = family.type === 'gauge';
    const [run] = track?.runs(1) ?? [];
    if (run === undefined) continue;
    yield { name: JSON.stringify(track?.series[0]), mayFall, values: run.values };
  }
}

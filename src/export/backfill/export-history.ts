import { type Beginning, countProjects, findBeginning } from '../../history/backfill/backfill.ts';
import { findElsewhere } from '../../history/merge/joined-project.ts';
import type { Family } from '../../resources/family.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import { findMissingShards, type Shard } from '../../resources/shard.ts';
import { type ExportOptions, ExportSource, type ReadInstants, refuseSameLabels } from './export-source.ts';
import type { ExportStep } from './export-step.ts';

/** The steps of readings that have the same families in the same order, as one: of each family the series of all. */
function* joinSteps(readings: readonly Generator<ExportStep>[]): Generator<ExportStep> {
  const parts = readings.map(reading => new FamilyReading(reading));
  const addUp = () => parts.reduce((sum, { done }) => sum + done, 0) / parts.length;
  let family: Family<unknown> | undefined;
  do {
    for (const part of parts) for (const step of part.goOn()) yield { ...step, done: addUp() };
    family = parts[0]?.family;
    if (family !== undefined) yield { family, done: addUp() };
  } while (family !== undefined);
}

/** A reading that stops where a family begins. */
class FamilyReading {
  readonly #steps: Generator<ExportStep>;
  /** The family that begins here; undefined at the end. */
  family: Family<unknown> | undefined;
  done = 0;

  constructor(steps: Generator<ExportStep>) {
    this.#steps = steps;
  }

  /** The steps until the next family. */
  *goOn(): Generator<ExportStep> {
    this.family = undefined;
    for (let next = this.#steps.next(); next.done !== true; next = this.#steps.next()) {
      this.done = next.value.done;
      this.family = next.value.family;
      if (this.family !== undefined) return;
      yield next.value;
    }
  }
}

/** One history, or several side by side, each with series of its own; read as they were when they were opened. */
export class ExportHistory implements Disposable {
  readonly #sources: ExportSource[] = [];

  /** @throws HistoryError when a file cannot be read as a history. */
  constructor(files: readonly string[]) {
    try {
      for (const file of files) this.#sources.push(new ExportSource(file));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** The instants from which on some, and from which on all of them know accounts; undefined while none does. */
  findBeginning(): Beginning | undefined {
    const begun = this.#sources
      .map(({ database }) => findBeginning(database))
      .filter(each => each !== undefined);
    if (begun.length === 0) return undefined;
    return {
      firstAt: minOf(begun.map(({ firstAt }) => firstAt)),
      wholeAt: maxOf(begun.map(({ wholeAt }) => wholeAt)),
    };
  }

  /** Projects that are or were there; one that is in several histories counts in each. */
  countProjects(): number {
    return this.#sources.reduce((sum, { database }) => sum + countProjects(database), 0);
  }

  /** The shards without a history, where several are read. */
  findMissingShards(): readonly Shard[] {
    return this.#sources.length === 1 ? [] : findMissingShards(this.#sources.map(({ shard }) => shard));
  }

  /**
   * Makes ready to read one stretch of time after the other. A project that is in several histories is shown by one at a time.
   *
   * @throws Failure when a glob is for no metric that an export can have, or two histories would have the same series.
   */
  prepare(options: ExportOptions): ReadInstants {
    refuseSameLabels(options.labels, this.#sources);
    const [only] = this.#sources;
    if (only !== undefined && this.#sources.length === 1) return only.prepare(options);
    const elsewhere = findElsewhere(this.#sources);
    const reads = this.#sources.map(source =>
      source.prepare({ ...options, elsewhere: elsewhere.get(source) ?? new Map() }),
    );
    return rows => joinSteps(reads.map(read => read(rows)));
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source[Symbol.dispose]();
  }
}

import type { Family } from '../../resources/family.ts';
import type { ExportStep } from './export-step.ts';

/** The steps of readings that have the same families in the same order, as one: of each family the series of all. */
export function* joinSteps(readings: readonly Generator<ExportStep>[]): Generator<ExportStep> {
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

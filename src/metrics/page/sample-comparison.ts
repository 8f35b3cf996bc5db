import type { Family, HistogramValue } from '../../resources/family.ts';

/**
 * Finds whether a family has other samples now than before: cheaper than rendering both. It is asked of every family
 * of everything that is read, so that it makes no functions and no lists of its own.
 */
export class SampleComparison {
  /** Values and label values of all samples there were, one after the other; `#noted` of them count. */
  readonly #before: unknown[] = [];
  #noted = 0;
  #position = 0;
  #differs = false;

  differs(family: Family<unknown>, before: unknown, after: unknown): boolean {
    this.#noted = 0;
    this.#position = 0;
    this.#differs = false;
    if (family.type === 'histogram') {
      family.sample(before, this.#noteHistogram);
      family.sample(after, this.#compareHistogram);
    } else {
      family.sample(before, this.#noteNumber);
      family.sample(after, this.#compareNumber);
    }
    return this.#differs || this.#position !== this.#noted;
  }

  /** Whether the family has any sample of one of the subjects. */
  hasSamples(family: Family<unknown>, subjects: readonly unknown[]): boolean {
    this.#noted = 0;
    for (const subject of subjects) {
      if (family.type === 'histogram') family.sample(subject, this.#noteHistogram);
      else family.sample(subject, this.#noteNumber);
    }
    return this.#noted > 0;
  }

  readonly #noteNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#note(value);
    for (let index = 0; index < own.length; index += 1) this.#note(own[index]);
  };

  readonly #noteHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value !== undefined) for (const part of listParts(value, own)) this.#note(part);
  };

  readonly #compareNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#compare(value);
    for (let index = 0; index < own.length; index += 1) this.#compare(own[index]);
  };

  readonly #compareHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value !== undefined) for (const part of listParts(value, own)) this.#compare(part);
  };

  #note(part: unknown): void {
    this.#before[this.#noted] = part;
    this.#noted += 1;
  }

  #compare(part: unknown): void {
    if (!Object.is(part, this.#before[this.#position])) this.#differs = true;
    this.#position += 1;
  }
}

function listParts(
  { cumulativeCounts, count, sum }: HistogramValue,
  own: readonly string[],
): readonly unknown[] {
  return [...cumulativeCounts, count, sum, ...own];
}

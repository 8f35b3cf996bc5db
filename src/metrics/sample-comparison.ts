import type { Family, HistogramValue } from '../resources/family.ts';

/** Tells whether a family has other samples now than before: cheaper than rendering both. */
export class SampleComparison {
  readonly #before: unknown[] = [];
  #position = 0;
  #differs = false;

  differs(family: Family<unknown>, before: unknown, after: unknown): boolean {
    this.#before.length = 0;
    sample(family, before, this.#note);
    this.#position = 0;
    this.#differs = false;
    sample(family, after, this.#compare);
    return this.#differs || this.#position !== this.#before.length;
  }

  /** Whether the family has any sample of one of the subjects. */
  hasSamples(family: Family<unknown>, subjects: readonly unknown[]): boolean {
    this.#before.length = 0;
    for (const subject of subjects) sample(family, subject, this.#note);
    return this.#before.length > 0;
  }

  readonly #note = (part: unknown): void => {
    this.#before.push(part);
  };

  readonly #compare = (part: unknown): void => {
    if (!Object.is(part, this.#before[this.#position])) this.#differs = true;
    this.#position += 1;
  };
}

/** Values and label values of all samples, one after the other. */
function sample(family: Family<unknown>, subject: unknown, visit: (part: unknown) => void): void {
  if (family.type === 'histogram') {
    family.sample(subject, (value, ...own) => {
      if (value === undefined) return;
      visitHistogram(value, visit);
      for (const part of own) visit(part);
    });
  } else {
    family.sample(subject, (value, ...own) => {
      if (value === undefined) return;
      visit(value);
      for (const part of own) visit(part);
    });
  }
}

function visitHistogram(
  { cumulativeCounts, count, sum }: HistogramValue,
  visit: (part: unknown) => void,
): void {
  for (const each of cumulativeCounts) visit(each);
  visit(count);
  visit(sum);
}

import type { Family, HistogramValue } from '../../resources/family.ts';
import { escapeLabelValue, renderHistogram, renderNumber } from './exposition.ts';

/**
 * Turns the samples of one family into lines, subject after subject. The part of a line that never changes is joined
 * once; labels of the scope come rendered, since a subject has the same in every family.
 */
export class FamilyText {
  readonly #family: Family<unknown>;
  /** `name{`, and before each label value of the family's own `,label="`. */
  readonly #opening: string;
  readonly #ownOpenings: readonly string[];
  #labels = '';
  #text = '';
  #series = 0;

  constructor(family: Family<unknown>, scopeLabels: number) {
    this.#family = family;
    this.#opening = `${family.name}{`;
    this.#ownOpenings = family.labels.slice(scopeLabels).map(label => `,${label}="`);
  }

  /** Characters that wait to be taken. */
  get length(): number {
    return this.#text.length;
  }

  /** @param labels of the scope, as `renderLabels` gives them. */
  add(subject: unknown, labels: string): void {
    this.#labels = labels;
    if (this.#family.type === 'histogram') this.#family.sample(subject, this.#addHistogram);
    else this.#family.sample(subject, this.#addNumber);
  }

  /** The lines since the last time. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** How many series were added since the last time. */
  takeSeries(): number {
    const series = this.#series;
    this.#series = 0;
    return series;
  }

  readonly #addNumber = (value: number | undefined, ...own: readonly string[]): void => {
    if (value === undefined) return;
    this.#text += `${this.#opening}${this.#join(own)}} ${renderNumber(value)}\n`;
    this.#series += 1;
  };

  readonly #addHistogram = (value: HistogramValue | undefined, ...own: readonly string[]): void => {
    if (value === undefined || this.#family.type !== 'histogram') return;
    const { name, buckets } = this.#family;
    this.#text += renderHistogram(name, this.#join(own), buckets, value);
    this.#series += buckets.length + 3;
  };

  #join(own: readonly string[]): string {
    let labels = this.#labels;
    for (let index = 0; index < this.#ownOpenings.length; index += 1) {
      labels += `${this.#ownOpenings[index]}${escapeLabelValue(own[index] ?? '')}"`;
    }
    return labels;
  }
}

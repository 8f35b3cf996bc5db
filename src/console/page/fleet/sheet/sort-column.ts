import { findAfter } from '../../../keyset.ts';
import type { RankColumn } from './fleet-sheet.ts';
import { WordPlaces } from './word-places.ts';

/** A column that rows are sorted by: numbers or texts; null where a value is not known. */
export class SortColumn {
  /** Numbers, or the places of texts; NaN where there is none. */
  readonly #values: number[] = [];
  readonly #places = new WordPlaces();

  add(value: string | number | null): void {
    this.#values.push(typeof value === 'string' ? this.#places.placeOf(value) : (value ?? Number.NaN));
  }

  rank(order: Uint32Array): RankColumn {
    const values = Float64Array.from(order, number => this.#values[number] ?? Number.NaN);
    return this.#places.words.length > 0 ? this.#rankTexts(values) : rankNumbers(values);
  }

  #rankTexts(places: Float64Array): RankColumn {
    const sorted = [...this.#places.words.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1));
    const rankOf = new Int32Array(sorted.length);
    for (const [rank, [place]] of sorted.entries()) rankOf[place] = rank;
    return { values: sorted.length, ranks: Int32Array.from(places, place => rankOf[place] ?? -1) };
  }
}

function rankNumbers(numbers: Float64Array): RankColumn {
  const sorted = numbers.filter(number => !Number.isNaN(number)).sort();
  const distinct = sorted.filter((number, index) => number !== sorted[index - 1]);
  const ranks = Int32Array.from(numbers, number =>
    Number.isNaN(number) ? -1 : findAfter(distinct, each => (each < number ? -1 : 1)),
  );
  return { values: distinct.length, ranks };
}

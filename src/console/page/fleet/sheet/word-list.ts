import type { WordColumn } from './fleet-sheet.ts';
import { WordPlaces } from './word-places.ts';

/** A word of each row, of which many are alike. */
export class WordList {
  readonly #places = new WordPlaces();
  readonly #indexes: number[] = [];

  /** Each word once. */
  get words(): readonly string[] {
    return this.#places.words;
  }

  add(word: string): void {
    this.#indexes.push(this.#places.placeOf(word));
  }

  /** The word of a row. */
  at(number: number): string {
    return this.words[this.#indexes[number] ?? -1] ?? '';
  }

  write(order: Uint32Array): WordColumn {
    return { words: this.words, indexes: Uint32Array.from(order, number => this.#indexes[number] ?? 0) };
  }
}

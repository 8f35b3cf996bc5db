/** Words by number, in the order in which they first came. */
export class WordPlaces {
  readonly words: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(word: string): number {
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    const place = this.words.push(word) - 1;
    this.#places.set(word, place);
    return place;
  }
}

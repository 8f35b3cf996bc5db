/** Lets one at a time do something, in the order in which they asked. */
export class Turn {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves when all before are done.
   *
   * @returns what to call once, when the turn is over.
   */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

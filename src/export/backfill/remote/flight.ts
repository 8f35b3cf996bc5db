/** Does some things at the same time, and no more than it may. */
export class Flight {
  readonly #most: number;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Begins work as soon as there is room.
   *
   * @throws what failed first, and begins no more after it.
   */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.#most) await Promise.race(this.#underWay);
    this.#throwFailure();
    const done = work()
      .catch(error => {
        this.#failure ??= { error };
      })
      .then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /**
   * Waits for all that was begun.
   *
   * @throws what failed first.
   */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Whether an account still has a project, by its list and by what the service answers about the project itself. */
export class Presence {
  #listPoll = 0;
  #isMissed = false;
  #isDropped = false;
  #missingAt: number | undefined;
  #isDisputed = false;

  /** Number of the list poll that last showed it; 0 if none did. */
  get listPoll(): number {
    return this.#listPoll;
  }

  /** Whether the last complete list did not show it. */
  get isMissed(): boolean {
    return this.#isMissed;
  }

  /** Whether it is not watched any more. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** When the service said that it does not exist; epoch milliseconds by this host's clock. */
  get missingAt(): number | undefined {
    return this.#missingAt;
  }

  /** Whether the service said that it does not exist, and its list said otherwise later. */
  get isDisputed(): boolean {
    return this.#isDisputed;
  }

  /** Whether the next list should show it. */
  get isExpected(): boolean {
    return !this.#isDropped && this.#missingAt === undefined;
  }

  /**
   * The list shows the project.
   *
   * @returns whether it is back after it was dropped or missing.
   */
  show(listPoll: number): boolean {
    const isMissing = this.#missingAt !== undefined;
    const isBack = isMissing || this.#isDropped;
    this.#listPoll = listPoll;
    this.#isMissed = false;
    this.#isDropped = false;
    if (isMissing) this.#isDisputed = true;
    this.#missingAt = undefined;
    return isBack;
  }

  /** A complete list does not show the project. */
  miss(): void {
    this.#isMissed = true;
  }

  /** The project is watched no more. */
  drop(): void {
    this.#isDropped = true;
  }

  /** The service says that the project does not exist. */
  lose(now: number): void {
    this.#missingAt = now;
  }
}

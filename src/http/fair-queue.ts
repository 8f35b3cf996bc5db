/** More wait for nothing: whoever asked has given up by then. */
const mostWaiting = 128;

/** Told whether its turn has come, or that it gave way to others. */
type Turn = (isItsTurn: boolean) => void;

/**
 * Does one thing at a time for many who ask: each of them in turn, however often one asks. Where too many wait, whoever
 * has most of them waiting loses the latest.
 */
export class FairQueue {
  /** By who asked, the next to be served first. */
  readonly #waiting = new Map<string, Turn[]>();
  #size = 0;
  #isBusy = false;

  /** @returns what came of it, or undefined where it gave way. */
  async run<Result>(asker: string, work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#isBusy && !(await this.#wait(asker))) return undefined;
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#serveNext();
    }
  }

  #wait(asker: string): Promise<boolean> {
    return new Promise(turn => {
      const turns = this.#waiting.get(asker) ?? [];
      this.#waiting.set(asker, turns);
      turns.push(turn);
      this.#size += 1;
      if (this.#size > mostWaiting) this.#giveWay();
    });
  }

  #giveWay(): void {
    // The last to come of those who have equally many.
    const [most] = [...this.#waiting].reverse().sort(([, one], [, other]) => other.length - one.length);
    if (most === undefined) return;
    const [asker, turns] = most;
    this.#size -= 1;
    turns.pop()?.(false);
    if (turns.length === 0) this.#waiting.delete(asker);
  }

  #serveNext(): void {
    this.#isBusy = false;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [asker, [turn, ...others]] = next;
    this.#waiting.delete(asker);
    if (others.length > 0) this.#waiting.set(asker, others);
    this.#isBusy = true;
    this.#size -= 1;
    turn?.(true);
  }
}

/** Questions to a thread that answers in the order it was asked. */
export class AnswerQueue<Answer> {
  readonly #waiting: PromiseWithResolvers<Answer>[] = [];
  #failure: Error | undefined;

  /** Call it when asking. */
  wait(): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  answer(answer: Answer): void {
    this.#waiting.shift()?.resolve(answer);
  }

  /** There will be no more answers. */
  fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

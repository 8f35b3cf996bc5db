import type { CompleteOptions } from './client-options.ts';
import { ApiError } from './message/api-error.ts';
import { type DatedAnswer, type ExpectedAnswer, ServiceClock } from './pacing/service-clock.ts';

/** Requests whose answers may speak for a date: the list of keys, and the same request again. */
interface Questions<Request> {
  keys(request: Request): Promise<DatedAnswer>;
  again(request: Request): Promise<DatedAnswer>;
}

/** Finds out when answers were served, by the service's clock. */
export class AnswerDate<Request> {
  readonly #options: Pick<CompleteOptions, 'now' | 'onDate'>;
  readonly #questions: Questions<Request>;
  readonly #clock: ServiceClock;
  #question: Promise<void> | undefined;

  constructor(
    options: Pick<CompleteOptions, 'now' | 'hostNow' | 'skewMs' | 'onDate'>,
    questions: Questions<Request>,
  ) {
    const { now, hostNow = now, skewMs } = options;
    this.#options = options;
    this.#questions = questions;
    this.#clock = new ServiceClock({ hostNow, skewMs });
  }

  /** The instant of the service's clock as it should be at ours. */
  estimate(at: number): number {
    return this.#clock.estimate(at);
  }

  /**
   * The instant an answer that just came was served at: its date, or what the clock should show where that is not believed.
   *
   * @throws ApiError when the date is in doubt and nothing can be asked about it.
   */
  async find(answer: ExpectedAnswer, request: Request): Promise<number> {
    const { now, onDate } = this.#options;
    const readAt = now();
    if (!this.#clock.follow(answer, readAt)) await this.#findWitness(answer, request);
    const servedAt = this.#clock.date(answer, readAt);
    onDate(answer.servedAt === undefined ? 0 : answer.servedAt - servedAt);
    return servedAt;
  }

  /** One question at a time speaks for all answers that are in doubt meanwhile. */
  async #findWitness(answer: DatedAnswer, request: Request): Promise<void> {
    if (this.#question === undefined) {
      if (!this.#clock.takeQuestion(answer, this.#options.now())) return;
      this.#question = this.#ask(request).finally(() => {
        this.#question = undefined;
      });
    }
    await this.#question;
  }

  /** Our own key was last used just now, by the service's own books. */
  async #ask(request: Request): Promise<void> {
    const answer = await this.#questions.keys(request).catch(error => {
      if (!(error instanceof ApiError)) throw error;
      return this.#questions.again(request);
    });
    this.#clock.follow(answer, this.#options.now());
  }
}

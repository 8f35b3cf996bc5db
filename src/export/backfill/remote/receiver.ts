import { retryDelayMs } from '../../../api/pacing/retry-timing.ts';
import type { Connections } from '../../../api/transport/connections.ts';
import { exchange } from '../../../api/transport/exchange.ts';
import { Mutex } from '../../../api/transport/response-body.ts';
import { minuteMs, renderDuration } from '../../../resources/duration.ts';
import { Failure } from '../../../resources/failure.ts';
import { compressSeries, writeHeaders } from '../../remote-write/write-request.ts';
import type { Batch } from './batch-packer.ts';
import { judgeAnswer, judgeError, type RetryTiming, type Verdict } from './verdict.ts';

interface ReceiverOptions {
  readonly url: URL;
  readonly connections: Connections;
  readonly userAgent: string;
  readonly readHeaders: () => Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  /** Time without anything taken after which the receiver is given up. */
  readonly patienceMs: number;
  readonly timing: RetryTiming;
  /** Told why nothing is taken for now, not more often than once a minute. */
  readonly onTrouble: (sentence: string) => void;
  /** Ends waits between attempts: what is under way may come to its end. */
  readonly stopped: AbortSignal;
  /** Ends what is under way. */
  readonly abandoned: AbortSignal;
}

/** The bytes of an answer that are read at most. */
const maxAnswerBytes = 1024 * 1024;
const longestErrorBodyMs = 2000;

/** Sends batches to a receiver, again where it could not take them, and waits as it says. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #largeBodies = new Mutex();
  #takenAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  /** Attempts that were not refused: taken, or not answered for certain. */
  #unrefused = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#takenAt = options.timing.now();
  }

  /** Whether it may have samples of this run. */
  get mayHaveTaken(): boolean {
    return this.#unrefused > 0;
  }

  /**
   * @returns whether it was taken; it was not where it is too large.
   * @throws Failure when it is refused, when nothing was taken for too long, or when told to stop meanwhile.
   */
  async send(batch: Batch): Promise<{ readonly bytes: number } | { readonly tooLarge: string }> {
    const body = compressSeries(batch.map(({ bytes }) => bytes));
    const { timing, patienceMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForTurn();
      this.#unrefused += 1;
      const verdict = await this.#ask(body);
      if (verdict.kind === 'refused' || verdict.kind === 'too large') this.#unrefused -= 1;
      const now = timing.now();
      if (verdict.kind === 'taken') {
        this.#takenAt = now;
        return { bytes: body.length };
      }
      if (verdict.kind === 'too large') return { tooLarge: verdict.reason };
      if (verdict.kind === 'refused') throw new Failure(`the receiver answers ${verdict.reason}`);
      const retryAt = now + Math.max(verdict.waitMs ?? 0, retryDelayMs(attempt, timing.random));
      if (retryAt - this.#takenAt > patienceMs) throw this.#giveUp(verdict.reason, retryAt);
      this.#tell(verdict.reason, now);
      this.#pausedUntil = Math.max(this.#pausedUntil, retryAt);
    }
  }

  #tell(reason: string, now: number): void {
    if (now - this.#toldAt < minuteMs) return;
    this.#toldAt = now;
    this.#options.onTrouble(`the receiver takes nothing for now and is asked again: ${reason}`);
  }

  #giveUp(reason: string, retryAt: number): Failure {
    const since = renderDuration(Math.max(0, this.#options.timing.now() - this.#takenAt));
    const until = new Date(retryAt).toISOString();
    return new Failure(
      `the receiver took nothing for ${since} and is to be asked again at ${until}, which is longer than --patience; the last was ${reason}`,
    );
  }

  /** Others may put the end of a pause off meanwhile. */
  async #waitForTurn(): Promise<void> {
    const { timing, stopped } = this.#options;
    for (let waitMs = this.#pausedUntil - timing.now(); waitMs > 0; ) {
      await timing.sleep(waitMs, stopped);
      waitMs = this.#pausedUntil - timing.now();
    }
    stopped.throwIfAborted();
  }

  async #ask(body: Uint8Array): Promise<Verdict> {
    const { url, connections, userAgent, readHeaders, redact, timing, abandoned } = this.#options;
    try {
      const answer = await exchange(connections.dispatcher, {
        origin: url.origin,
        path: url.pathname + url.search,
        userAgent,
        posted: { headers: { ...writeHeaders, ...readHeaders() }, body },
        bodies: { maxBodyBytes: maxAnswerBytes, largeBodies: this.#largeBodies },
        totalTimeoutMs: timing.requestMs,
        longestErrorBodyMs,
        signal: abandoned,
      });
      return judgeAnswer(answer, redact, timing.now());
    } catch (error) {
      abandoned.throwIfAborted();
      return judgeError(error, redact);
    }
  }
}
